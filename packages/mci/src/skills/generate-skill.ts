import { isObject } from "@mci-ts/primitives/is-object";
import type { Tool } from "../schema/tool.ts";

export interface SkillExample {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** What it is an example of. */
  readonly about?: string;
}

export interface GenerateSkillOptions {
  /** Lower-case letters, digits and single hyphens. */
  readonly name: string;
  /** What the tools are for. Default: their names. */
  readonly about?: string | undefined;
  /** Calls that are known to fit; they come before those in the input schemas. */
  readonly examples?: readonly SkillExample[];
}

const MARK = "Written by 'mci skill'";
const MAX_DESCRIPTION = 1024;
const MAX_TEXT = 500;
const MAX_EXAMPLES = 3;

/** A SKILL.md for agents: which of the tools to use when, what each needs, and examples. The same tools always give the same text. */
export function generateSkill(tools: readonly Tool[], options: GenerateSkillOptions): string {
  const { name, about, examples = [] } = options;
  const parts = [
    `---\nname: ${name}\ndescription: ${JSON.stringify(describe(tools, about))}\n---`,
    `<!-- ${MARK} from the tools; changes are lost when it is written again. -->`,
    `# ${plain(name)}`,
    ...(about === undefined ? [] : [plain(about)]),
    "## When to use which",
    table(tools),
    ...tools.map((tool) =>
      section(tool, distinct([...examples.filter((one) => one.tool === tool.name), ...ownExamples(tool)])),
    ),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** Whether a text was written by `generateSkill`, so that it may be replaced. */
export function isGeneratedSkill(text: string): boolean {
  return text.includes(MARK);
}

function describe(tools: readonly Tool[], about: string | undefined): string {
  const names = tools.map(({ name }) => name).join(", ");
  const text = `${about === undefined ? "" : `${withoutDots(oneLine(about))}. `}Use it before you call one of these tools: ${names}.`;
  return text.length <= MAX_DESCRIPTION ? text : `${text.slice(0, MAX_DESCRIPTION - 1)}…`;
}

function withoutDots(text: string): string {
  let end = text.length;
  while (end > 0 && ". ".includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}

function table(tools: readonly Tool[]): string {
  const rows = tools.map(({ name, description, annotations }) => {
    const effect = annotations?.readOnlyHint
      ? "nothing"
      : annotations?.destructiveHint
        ? "deletes or overwrites"
        : "may change something";
    return `| ${code(name)} | ${plain(firstSentence(description ?? annotations?.title ?? ""))} | ${effect} |`;
  });
  return ["| Tool | Use it for | Changes |", "|---|---|---|", ...rows].join("\n");
}

function section(tool: Tool, examples: readonly SkillExample[]): string {
  const { name, description = "", inputSchema, approve } = tool;
  const parts = [`## ${code(name)}`];
  if (description.trim() !== "") parts.push(plain(description));
  if (approve === true || tool.annotations?.destructiveHint)
    parts.push("A person may be asked before it runs. Say what you are about to do.");
  const properties = propertiesOf(inputSchema);
  if (properties.length > 0) parts.push(properties.join("\n"));
  for (const { input, about } of examples.slice(0, MAX_EXAMPLES)) {
    const intro = about === undefined ? "Example:" : `Example, ${plain(about)}:`;
    parts.push(`${intro}\n\n${fenced(JSON.stringify(input, null, 2))}`);
  }
  return parts.join("\n\n");
}

/** The first of those with the same input. */
function distinct(examples: readonly SkillExample[]): SkillExample[] {
  return [
    ...new Map(examples.toReversed().map((one) => [JSON.stringify(one.input), one])).values(),
  ].reverse();
}

type Schema = Readonly<Record<string, unknown>>;

function propertiesOf(inputSchema: Tool["inputSchema"]): string[] {
  const { properties = {}, required = [] } = (inputSchema ?? {}) as {
    properties?: Readonly<Record<string, Schema | boolean>>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, schema]) => {
    const {
      type,
      description,
      enum: choices,
      default: fallback,
    } = (typeof schema === "object" ? schema : {}) as Schema;
    const facts = [
      required.includes(name) ? "required" : "optional",
      ...(type === undefined ? [] : [oneLine([type].flat().join(" or "))]),
      ...(Array.isArray(choices)
        ? [
            `one of ${choices
              .slice(0, 20)
              .map((choice) => code(JSON.stringify(choice)))
              .join(", ")}`,
          ]
        : []),
      ...(fallback === undefined ? [] : [`default ${code(JSON.stringify(fallback))}`]),
    ];
    const text =
      typeof description === "string" && description.trim() !== "" ? `: ${plain(description)}` : "";
    return `- ${code(name)} (${facts.join(", ")})${text}`;
  });
}

/** `examples` of the input schema, or one made of the examples and defaults of required properties. */
function ownExamples({ name, inputSchema }: Tool): SkillExample[] {
  const {
    examples,
    properties = {},
    required = [],
  } = (inputSchema ?? {}) as {
    examples?: unknown;
    properties?: Readonly<Record<string, Schema | boolean>>;
    required?: readonly string[];
  };
  if (Array.isArray(examples)) return examples.filter(isObject).map((input) => ({ tool: name, input }));
  const values = required.map((property) => {
    const schema = properties[property];
    const {
      examples: list,
      default: fallback,
      enum: choices,
    } = (typeof schema === "object" ? schema : {}) as Schema;
    const [first] = Array.isArray(list) ? list : Array.isArray(choices) ? choices : [fallback];
    return [property, first] as const;
  });
  const isComplete = values.length > 0 && values.every(([, value]) => value !== undefined);
  return isComplete ? [{ tool: name, input: Object.fromEntries(values) }] : [];
}

/** Texts of tools are of others: one line each, and nothing of it is Markdown, HTML or a heading. */
function plain(text: string): string {
  const line = oneLine(text);
  const short = line.length <= MAX_TEXT ? line : `${line.slice(0, MAX_TEXT - 1)}…`;
  return short.replace(/[\\`*_[\]<>|#]/g, "\\$&").replace(/^([-+=~]|\d+[.)])/, "\\$1");
}

function code(text: string): string {
  return `\`${oneLine(text).replaceAll("`", "'").replaceAll("|", "\\|")}\``;
}

/** A fence that the text cannot close. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}json\n${text}\n${fence}`;
}

function firstSentence(text: string): string {
  return /^.*?[.!?](?=\s|$)/s.exec(text.trim())?.[0] ?? text;
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Cf}]+/gu, " ").trim();
}
