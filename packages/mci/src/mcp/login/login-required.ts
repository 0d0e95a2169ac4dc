import { McpError } from "../errors.ts";
import type { Challenge } from "./login-target.ts";

/** A person has to log in; nothing of the call was done. */
export class LoginRequiredError extends McpError {
  readonly server: string;
  readonly challenge: Challenge;

  constructor(server: string, challenge: Challenge, options: { cause?: unknown; missing?: string } = {}) {
    const { missing, cause } = options;
    const scope = challenge.isStepUp && challenge.scope ? ` with the scope '${challenge.scope}'` : "";
    const message = missing ? `its login needs ${missing}` : `needs login${scope}: mci login ${server}`;
    const hint = missing ? `set ${missing} in the file` : `run 'mci login ${server}'`;
    super("login_required", message, { cause, hint });
    this.server = server;
    this.challenge = challenge;
  }
}
