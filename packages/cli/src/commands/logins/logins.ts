import type { Login } from "mci-ts/login";
import { command } from "../../command.ts";
import { toJson } from "../../print/escape-controls.ts";
import { table, tabSeparated } from "../../print/table.ts";
import { loginStore } from "../../project/login-store.ts";

export default command({
  summary: "List the logins of this user: who, where, with which scopes, until when.",
  details:
    "Tokens are never shown. A login that has expired is renewed with its next use, where the server allows it.",
  options: {
    format: { type: "string", value: "FORMAT", choices: ["table", "json"], help: "How to print." },
  },
  examples: [
    { command: "mci logins", about: "All of them" },
    { command: "mci logins --format json", about: "For another program" },
  ],
  async run({ values }, { env, stdout, stderr }) {
    const logins = (await loginStore(env).list()).map(describe);
    if (values.format === "json") stdout.write(toJson({ logins }));
    else if (logins.length === 0) stderr.write("No logins. 'mci login NAME' makes one.\n");
    else {
      const rows = logins.map(({ name, account, resource, issuer, scope, state }) => [
        name,
        account,
        resource,
        issuer,
        scope,
        state,
      ]);
      stdout.write(
        stdout.isTTY
          ? table(["NAME", "ACCOUNT", "RESOURCE", "ISSUER", "SCOPES", "STATE"], rows, stdout)
          : tabSeparated(rows),
      );
    }
    return 0;
  },
});

/** Everything but the secrets. */
function describe({ name = "", account = "", resource, issuer, clientId, tokens, savedAt }: Login) {
  const expires = tokens?.expiresAt === undefined ? undefined : new Date(tokens.expiresAt).toISOString();
  const isExpired = tokens?.expiresAt !== undefined && tokens.expiresAt < Date.now();
  const state =
    tokens === undefined
      ? "logged out"
      : !isExpired
        ? expires === undefined
          ? "valid"
          : `valid until ${expires}`
        : tokens.refresh_token === undefined
          ? "expired: log in again"
          : "expired: renewed with its next use";
  return {
    ...{ name, account, resource, issuer, client: clientId, scope: tokens?.scope ?? "", state },
    ...(expires !== undefined && { expires }),
    saved: new Date(savedAt).toISOString(),
  };
}
