import { z } from "zod";
import { optionalField } from "../optional-field.ts";

const pattern = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[^*]*(\*[^*]*){0,8}$/, "must have 8 stars at most");
const MAX_PATTERNS = 100;
const patterns = z.array(pattern).max(MAX_PATTERNS);
const lead = z.int().min(1).max(25);

/** How the actions of an agent are decided. */
export const actConfigSchema = z.strictObject({
  vote: optionalField(
    "never: one call per step, returned as the model wrote it. Default always.",
    z.enum(["always", "never"]),
  ),
  k: optionalField(
    "Votes an action must be ahead by, unless another setting says so. Default: `k`, which is 3.",
    lead,
  ),
  k_read_only: optionalField("The same for actions that only read. Default 1.", lead),
  k_by_tool: optionalField(
    'Patterns of tool names, such as `{"get_*": 1, "delete_*": 5}`; the first that matches decides. Default: none.',
    z
      .record(pattern, lead)
      .refine((all) => Object.keys(all).length <= MAX_PATTERNS, `must have ${MAX_PATTERNS} patterns at most`),
  ),
  read_only: optionalField(
    "Patterns of the names of tools that change nothing. Default: only those that say so.",
    patterns,
  ),
  exact: optionalField(
    "Arguments, as `tool.argument` or `argument`, that count as equal only if they are. Default: none.",
    patterns,
  ),
  free: optionalField(
    "Arguments that are free text: samples that differ there count as one action, and the one closest to all others is taken. Default: none.",
    patterns,
  ),
  threshold: optionalField(
    "Mean similarity below which an action that is not read-only is undecided, where free text decides. Default 0.5.",
    z.number().min(0).max(1),
  ),
  undecided: optionalField(
    "leader: the action with most votes is taken. ask: the reply says what was considered, and no tool is called. error: the request fails. Default: leader for actions that only read, else ask.",
    z.enum(["leader", "ask", "error"]),
  ),
  final: optionalField(
    "The words of a reply to the user. first: those of the first sample that replied. council: a judge writes them from all of them. Default first.",
    z.enum(["first", "council"]),
  ),
  max_usd_session: optionalField(
    "US dollars that the steps of one session may cost together. Default: unlimited.",
    z.number().positive(),
  ),
});
export type ActConfig = z.output<typeof actConfigSchema>;

/** `*` is any text. */
export function matchesPattern(glob: string, text: string): boolean {
  const [first, ...rest] = glob.split("*");
  const last = rest.pop();
  if (last === undefined) return glob === text;
  if (!text.startsWith(first!) || text.length < first!.length + last.length || !text.endsWith(last))
    return false;
  let from = first!.length;
  for (const part of rest) {
    const at = text.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return from <= text.length - last.length;
}

export const matchesAny = (globs: readonly string[] | undefined, text: string) =>
  globs?.some((glob) => matchesPattern(glob, text)) ?? false;
