import { isObject } from "@mci-ts/primitives/is-object";
import { isTooDeep } from "../canonical/json.ts";
import type { ModelReply } from "../model.ts";

/**
 * What a reply holds, as data. Providers' dialects are read: reasoning in the text, one code fence, words around the object. Damage
 * is not repaired: broken JSON and two different objects are errors. `plainNumbers`: for objects of a caller's schema, where a number
 * stays one; by default a number given as an answer is read as its text.
 */
export function readReply(
  reply: ModelReply,
  { plainNumbers = false }: { plainNumbers?: boolean } = {},
): { readonly value: unknown } | { readonly error: string } {
  if (reply.object !== undefined)
    return isTooDeep(reply.object) ? { error: "the reply is nested too deeply" } : { value: reply.object };
  // Strictly first: what looks like reasoning may be part of an answer.
  const whole = parseObject(insideFence(reply.text), plainNumbers);
  if (whole !== undefined) return { value: whole };
  return onlyObjectIn(withoutReasoning(reply.text), plainNumbers);
}

/** Of a text that is one code fence. */
function insideFence(text: string): string {
  const fence = text.trim();
  return fence.length > 6 && fence.startsWith("```") && fence.endsWith("```")
    ? fence.slice(fence.indexOf("\n") + 1, -3)
    : text;
}

/** The text without what a model thought aloud. An unclosed block runs to the end; a lone closing tag ends one that began before. */
export function withoutReasoning(text: string): string {
  if (!MAY_HOLD_REASONING.test(text)) return text;
  const open = REASONING.reduce((rest, block) => rest.replace(block, ""), withoutClosedBlocks(text));
  const lone = [...open.matchAll(LONE_END)].at(-1);
  return lone === undefined ? open : open.slice(lone.index + lone[0].length);
}

/** Each of the marks below has one of these. Nearly every reply has none, and is looked at several times. */
const MAY_HOLD_REASONING = /[<◁]|\[\/?THINK\]/i;

/** The marks that models put around it, by family. A server that knows the model takes them out; others leave them in the text. */
const REASONING: readonly RegExp[] = [
  /<(think|thinking|thought|reasoning|seed:think)>[\s\S]*?(?:<\/\1>|$)/gi, // DeepSeek, Qwen, and many; Seed
  /<\|channel\|>analysis<\|message\|>[\s\S]*?(?:<\|end\|>|$)/gi, // gpt-oss
  /\[THINK\][\s\S]*?(?:\[\/THINK\]|$)/g, // Magistral
  /◁think▷[\s\S]*?(?:◁\/think▷|$)/g, // Kimi
  /<\|START_THINKING\|>[\s\S]*?(?:<\|END_THINKING\|>|$)/g, // Command
  /<\|channel>thought[\s\S]*?(?:<channel\|>|$)/g, // Gemma
];

/** What prompts ask for. Without an end these words may be an answer's own, so nothing behind the last end is looked at. */
function withoutClosedBlocks(text: string): string {
  return CLOSED_BLOCKS.reduce((rest, { end, block }) => {
    const last = [...rest.matchAll(end)].at(-1);
    if (last === undefined) return rest;
    const behind = last.index + last[0].length;
    return rest.slice(0, behind).replace(block, "") + rest.slice(behind);
  }, text);
}

// Up to an end, a block always has one: "or the end of the text" only keeps the search linear.
const CLOSED_BLOCKS: readonly { readonly end: RegExp; readonly block: RegExp }[] = [
  { end: /<\/reason>/gi, block: /<reason>[\s\S]*?(?:<\/reason>|$)/gi },
  { end: /<\/analysis>/gi, block: /<analysis>[\s\S]*?(?:<\/analysis>|$)/gi },
  { end: /<\/reflection>/gi, block: /<reflection>[\s\S]*?(?:<\/reflection>|$)/gi },
  { end: /<\/scratchpad>/gi, block: /<scratchpad>[\s\S]*?(?:<\/scratchpad>|$)/gi },
];

const LONE_END = /<\/think(?:ing)?>|\[\/THINK\]|◁\/think▷|<\/seed:think>/gi;

/**
 * The object inside of one that only names it, as models write that take the schema for a tool or for a form to be filled in:
 * `{"name": "vote", "arguments": {…}}`, `{"type": "object", "properties": {…}}`. Undefined where there is more to it.
 */
export function insideEnvelope(value: unknown, plainNumbers = false): object | undefined {
  if (!isObject(value)) return undefined;
  const named = Object.entries(value).filter(([key]) => !ENVELOPE_LABELS.has(key));
  const [entry, ...more] = named;
  if (entry === undefined || more.length > 0 || !ENVELOPES.has(entry[0])) return undefined;
  const [, inside] = entry;
  return typeof inside === "string"
    ? parseObject(inside, plainNumbers)
    : isObject(inside)
      ? inside
      : undefined;
}

const ENVELOPES = new Set(["arguments", "parameters", "input", "properties", "response", "output", "result"]);
const ENVELOPE_LABELS = new Set(["name", "type", "id", "tool", "function", "title", "required"]);

/** The one JSON object in a text; equal objects count as one. */
function onlyObjectIn(text: string, plainNumbers: boolean): { value: unknown } | { error: string } {
  let found: { value: unknown; json: string } | undefined;
  let objects = 0;
  // Only what starts like a JSON object is one; a brace in prose or code is not.
  const start = /\{\s*["}]/g;
  for (let match = start.exec(text); match !== null; match = start.exec(text)) {
    if (++objects > MAX_OBJECTS) return { error: "the reply holds too many JSON objects" };
    const end = endOfObject(text, match.index);
    const value = end === -1 ? undefined : parseObject(text.slice(match.index, end), plainNumbers);
    if (value === undefined) return { error: "the reply holds broken JSON" };
    const json = JSON.stringify(value);
    if (found !== undefined && found.json !== json)
      return { error: "the reply holds two different JSON objects" };
    found = { value, json };
    start.lastIndex = end;
  }
  return found ?? { error: "the reply holds no JSON object" };
}

/** Repeating itself a few times is a habit; more is a model in a loop. */
const MAX_OBJECTS = 20;

/** The position after the closing brace; -1 when there is none. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let i = start; i < text.length; i++) {
    const char = text[i];
    if (inString) {
      if (char === "\\") i++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "{") depth++;
    else if (char === "}" && --depth === 0) return i + 1;
  }
  return -1;
}

function parseObject(text: string, plainNumbers: boolean): object | undefined {
  try {
    const value: unknown = plainNumbers
      ? JSON.parse(text)
      : JSON.parse(text, numbersAsWritten as (key: string, value: unknown) => unknown);
    return isObject(value) && !isTooDeep(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A number given as an answer keeps its digits: 12345678901234567890 and 3.10 are not what JSON.parse makes of them. */
function numbersAsWritten(key: string, value: unknown, context: { readonly source?: string }): unknown {
  return typeof value === "number" && TEXT_FIELDS.has(key) ? (context?.source ?? value) : value;
}

const TEXT_FIELDS = new Set(["answer", "other"]);
