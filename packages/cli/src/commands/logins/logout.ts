import { CliError } from "../../cli-error.ts";
import { command } from "../../command.ts";
import { oneLine } from "../../print/escape-controls.ts";
import { plural } from "../../print/plural.ts";
import { loginStore } from "../../project/login-store.ts";

export default command({
  summary: "Remove a login of this user.",
  details:
    "Removes the stored tokens and the client's registration. The server may keep the session until it expires: end it there, too,\n" +
    "if the machine was lost.",
  operands: [{ name: "NAME", help: "A name or an address from 'mci logins'." }],
  options: { all: { type: "boolean", help: "All of them." } },
  examples: [
    { command: "mci logout linear", about: "The login that was made for 'linear'" },
    { command: "mci logout --all", about: "Every login of this user" },
  ],
  async run({ values, operands: [name] }, { env, stderr }) {
    const store = loginStore(env);
    const logins = await store.list();
    const chosen = values.all
      ? logins
      : logins.filter((login) => name !== undefined && [login.name, login.resource].includes(name));
    if (chosen.length === 0 && !values.all)
      throw new CliError(name === undefined ? "Which login?" : `There is no login '${oneLine(name)}'.`, {
        hint: "'mci logins' lists them; --all removes all.",
      });
    for (const login of chosen) await store.remove(login);
    stderr.write(`Removed ${plural(chosen.length, "login")}.\n`);
    return 0;
  },
});
