import type { EnvUse, Inspection, Problem, Spot, User } from "mci-ts";
import { canStart } from "./which.ts";

/** What the file needs of this machine and does not find: programs and variables. All of it are warnings. */
export function surroundings(
  { commands, envs }: Inspection,
  env: Readonly<Record<string, string>>,
): Problem[] {
  const missing = commands
    .filter(({ command, cwd }) => !canStart(command, { cwd, env }))
    .map(({ command, ...use }) =>
      warning(
        use.tool === undefined
          ? `MCP server command not found in PATH: ${command} (server: ${use.usedBy.replace(/^mcp:/, "")})`
          : `Command not found in PATH: ${command} (tool: ${use.tool})`,
        "install it, or correct the command",
        use,
      ),
    );
  const unset = firstUses(
    envs.filter(({ name, hasFallback }) => !hasFallback && !Object.hasOwn(env, name)),
  ).map((use) =>
    warning(
      `Variable not set: ${use.name}`,
      `set it in .env.mci or the environment, or write a fallback: {{env.${use.name} | 'value'}}`,
      use,
    ),
  );
  return [...missing, ...unset];
}

/** One warning for a variable, where it is first used. */
function firstUses(uses: readonly EnvUse[]): EnvUse[] {
  return [...new Map(uses.toReversed().map((use) => [use.name, use])).values()].reverse();
}

function warning(message: string, hint: string, { file, line, column, path }: Spot & User): Problem {
  return { message, hint, severity: "warning", file, line, column, path };
}
