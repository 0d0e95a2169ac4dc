import type { Problem } from "../../errors.ts";
import type { LoadedContent } from "../content/content.ts";
import type { Loaded } from "../loaded.ts";
import { compareLocks, contentKey, DESCRIPTION, type LockChange, lockTools, type ToolLock } from "./lock.ts";

/** Leaves only the tools that are as they were locked: a changed one is refused, a new one hidden, each with a warning. */
export function applyLock(loaded: Loaded, lock: ToolLock, hasAllSources: boolean): Loaded {
  const changes = compareLocks(
    lock,
    lockTools(loaded.tools, loaded.servers, loaded.content, loaded.metadata),
  ).filter(({ change, source }) => hasAllSources || change !== "removed" || !source.startsWith("mcp:"));
  const away = new Set(changes.filter(({ kind }) => kind === "tool").map(({ tool }) => tool));
  const content = new Set(changes.filter(({ kind }) => kind === "content").map(({ tool }) => tool));
  const { description, ...metadata } = loaded.metadata;
  const refused = changes
    .filter(({ change, kind }) => change === "changed" && kind === "tool")
    .map((change) => [change.tool, `${describe(change)}. Review it, then run 'mci lock'.`] as const);
  return {
    ...loaded,
    tools: loaded.tools.filter(({ tool }) => !away.has(tool.name)),
    warnings: [...loaded.warnings, ...changes.map(asProblem)],
    refused: new Map(refused),
    metadata: content.has(DESCRIPTION) ? metadata : loaded.metadata,
    ...(loaded.content && { content: lockedContent(loaded.content, content) }),
  };
}

/** What is not listed cannot have been locked: it is not read. */
function lockedContent(content: LoadedContent, away: ReadonlySet<string>): LoadedContent {
  return {
    ...content,
    prompts: content.prompts.filter((prompt) => !away.has(contentKey.prompt(prompt))),
    resources: content.resources.filter((resource) => !away.has(contentKey.resource(resource))),
    templates: content.templates.filter((template) => !away.has(contentKey.template(template))),
    skills: content.skills.filter((skill) => !away.has(contentKey.skill(skill))),
    instructions: content.instructions.filter((each) => !away.has(contentKey.instructions(each))),
    isLocked: true,
    open: new Map(),
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

function describe({ tool, kind, change, source, parts }: LockChange): string {
  const name = kind === "tool" ? `Tool '${tool}' (${source})` : `The ${tool} (${source})`;
  if (change === "added") return `${name} is new since the tools were locked`;
  if (change === "removed") return `${name} was locked and does not exist any more`;
  return `${name} changed since it was locked: ${parts.join(", ")}`;
}
