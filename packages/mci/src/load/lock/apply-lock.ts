import type { Problem } from "../../errors.ts";
import type { Loaded } from "../loaded.ts";
import { compareLocks, type LockChange, lockTools, type ToolLock } from "./lock.ts";

/** Leaves only the tools that are as they were locked: a changed one is refused, a new one hidden, each with a warning. */
export function applyLock(loaded: Loaded, lock: ToolLock, hasAllSources: boolean): Loaded {
  const changes = compareLocks(lock, lockTools(loaded.tools, loaded.servers)).filter(
    ({ change, source }) => hasAllSources || change !== "removed" || !source.startsWith("mcp:"),
  );
  const away = new Set(changes.map(({ tool }) => tool));
  const refused = changes
    .filter(({ change }) => change === "changed")
    .map((change) => [change.tool, `${describe(change)}. Review it, then run 'mci lock'.`] as const);
  return {
    ...loaded,
    tools: loaded.tools.filter(({ tool }) => !away.has(tool.name)),
    warnings: [...loaded.warnings, ...changes.map(asProblem)],
    refused: new Map(refused),
  };
}

const OUTCOMES: Readonly<Record<LockChange["change"], string>> = {
  changed: "it is refused until 'mci lock' is run again",
  added: "it is hidden until 'mci lock' is run again",
  removed: "run 'mci lock' if that is as it should be",
};

function asProblem(change: LockChange): Problem {
  return { message: describe(change), hint: OUTCOMES[change.change], severity: "warning" };
}

function describe({ tool, change, source, parts }: LockChange): string {
  const name = `Tool '${tool}' (${source})`;
  if (change === "added") return `${name} is new since the tools were locked`;
  if (change === "removed") return `${name} was locked and does not exist any more`;
  return `${name} changed since it was locked: ${parts.join(", ")}`;
}
