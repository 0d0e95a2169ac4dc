import { resolve } from "node:path";
import type { CommandUse, Consumer, EnvUse, LintResult, Location, Problem } from "mci-ts";
import { canStart, isPath } from "./which.ts";

/** Warnings about programs and variables that the file needs and this machine does not have. */
export function checkEnvironment(
  { commands, envs }: LintResult,
  env: Readonly<Record<string, string>>,
): Problem[] {
  const missing = commands
    .filter(({ command, cwd }) => !canStart(command, { cwd, env }))
    .map((use) => warning(notFound(use), "install it, or correct the command", use));
  const needed = firstUses(envs.filter(({ hasFallback }) => !hasFallback));
  const unset = needed
    .filter(({ name }) => !Object.hasOwn(env, name))
    .map((use) =>
      warning(
        `Variable not set: ${use.name}`,
        `set it in .env.mci or the environment, or write a fallback: {{env.${use.name} | 'value'}}`,
        use,
      ),
    );
  const empty = needed
    .filter(({ name }) => env[name] === "")
    .map((use) => warning(`Variable is set, but empty: ${use.name}`, "give it a value", use));
  return [...missing, ...unset, ...empty];
}

function notFound({ command, displayed, cwd, tool, usedBy }: CommandUse): string {
  const where = isPath(command) ? `: ${resolve(cwd, displayed)}` : ` in PATH: ${displayed}`;
  return tool === undefined
    ? `MCP server command not found${where} (server: ${usedBy.replace(/^mcp:/, "")})`
    : `Command not found${where} (tool: ${tool})`;
}

/** One warning for a variable, where it is first used. */
function firstUses(uses: readonly EnvUse[]): EnvUse[] {
  return [...new Map(uses.toReversed().map((use) => [use.name, use])).values()].reverse();
}

function warning(
  message: string,
  hint: string,
  { file, line, column, path, tool }: Location & Consumer,
): Problem {
  return { message, hint, severity: "warning", file, line, column, path, tool };
}
