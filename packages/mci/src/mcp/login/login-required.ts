import { loginCommand } from "../../login/login-options.ts";
import type { ServerLogin } from "../connection.ts";
import { McpError } from "../errors.ts";
import type { Challenge } from "./login-target.ts";

/** A person has to log in; nothing of the call was done. */
export class LoginRequiredError extends McpError {
  readonly server: string;
  readonly challenge: Challenge;

  constructor(
    { name, options: login }: Pick<ServerLogin, "name" | "options">,
    challenge: Challenge,
    options: { cause?: unknown; missing?: string } = {},
  ) {
    const { missing, cause } = options;
    const scope = challenge.isStepUp && challenge.scope ? ` with the scope '${challenge.scope}'` : "";
    const command = loginCommand(name, login);
    const message = missing ? `its login needs ${missing}` : `needs login${scope}: ${command}`;
    const hint = missing ? `set ${missing} in the file` : `run '${command}'`;
    super("login_required", message, { cause, hint });
    this.server = name;
    this.challenge = challenge;
  }
}
