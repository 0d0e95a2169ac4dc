import { isObject } from "@mci-ts/primitives/is-object";
import { isTooDeep } from "../canonical/json.ts";
import type { ModelReply } from "../model.ts";

/**
 * What a reply holds, as data. Providers' dialects are read: reasoning in the text, one code fence, words around the object. Damage
 * is not repaired: broken JSON and two different objects are errors. Comments and line breaks inside of texts change no value: they are read. `plainNumbers`: for objects of a caller's schema, where a number
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
  /<(think|thinking|thought|reasoning|seed:think)\s?>[\s\S]*?(?:<\/\1\s?>|$)/gi, // DeepSeek, Qwen, and many; Seed
  /<\|begin_of_thought\|>[\s\S]*?(?:<\|end_of_thought\|>|$)/gi, // OpenThinker
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
const CLOSED_BLOCKS: readonly { readonly end: RegExp; readonly block: RegExp }[] =
  "reason analysis reflection scratchpad thoughts thought_process inner_monologue antThinking"
    .split(" ")
    .map((name) => ({
      end: new RegExp(`</${name}>`, "gi"),
      block: new RegExp(`<${name}>[\\s\\S]*?(?:</${name}>|$)`, "gi"),
    }));

const LONE_END = /<\/think(?:ing)?\s?>|<\|end_of_thought\|>|\[\/THINK\]|◁\/think▷|<\/seed:think>/gi;

/**
 * The object inside of one that only names it, as models write that take the schema for a tool or for a form to be filled in:
 * `{"name": "vote", "arguments": {…}}`, `{"type": "object", "properties": {…}}`. Undefined where there is more to it.
 * `{"type": "function", "function": {…}}` has both in one more.
 */
export function insideEnvelope(value: unknown, plainNumbers = false): object | undefined {
  if (!isObject(value)) return undefined;
  const named = Object.entries(value).filter(([key, one]) => !ENVELOPE_LABELS.has(key) || isObject(one));
  const [entry, ...more] = named;
  if (entry === undefined || more.length > 0) return undefined;
  const [key, inside] = entry;
  if (key === "function") return insideEnvelope(inside, plainNumbers);
  if (!ENVELOPES.has(key)) return undefined;
  return typeof inside === "string"
    ? parseObject(inside, plainNumbers)
    : isObject(inside)
      ? inside
      : undefined;
}

const ENVELOPES = new Set(
  "arguments parameters input action_input properties response output result".split(" "),
);
const ENVELOPE_LABELS = new Set("name type id tool function action title required".split(" "));

/** The one JSON object in a text; equal objects count as one. */
function onlyObjectIn(text: string, plainNumbers: boolean): { value: unknown } | { error: string } {
  let found: { value: unknown; json: string } | undefined;
  let objects = 0;
  // Only what starts like a JSON object is one; a brace in prose or code is not. Few and short comments: the search stays linear.
  const start = /\{\s*(?:(?:\/\/[^\n]{0,200}\n|\/\*[^*]{0,200}\*\/)\s{0,100}){0,3}["}]/g;
  for (let match = start.exec(text); match !== null; match = start.exec(text)) {
    if (++objects > MAX_OBJECTS) return { error: "the reply holds too many JSON objects" };
    const object = objectAt(text, match.index);
    const value = object && parseObject(object.json, plainNumbers);
    if (object === undefined || value === undefined) return { error: "the reply holds broken JSON" };
    const json = JSON.stringify(value);
    if (found !== undefined && found.json !== json)
      return { error: "the reply holds two different JSON objects" };
    found = { value, json };
    start.lastIndex = object.end;
  }
  return found ?? { error: "the reply holds no JSON object" };
}

/** Repeating itself a few times is a habit; more is a model in a loop. */
const MAX_OBJECTS = 20;

/** An object up to its closing brace, comments left out, line breaks inside of texts escaped; undefined where it has no end. */
function objectAt(text: string, start: number): { readonly json: string; readonly end: number } | undefined {
  let depth = 0;
  let inString = false;
  let json = "";
  let copied = start;
  const replace = (from: number, to: number, by: string) => {
    json += text.slice(copied, from) + by;
    copied = to;
  };
  for (let i = start; i < text.length; i++) {
    const char = text[i]!;
    if (inString) {
      if (char === "\\") i++;
      else if (char === '"') inString = false;
      else if (char < " ") replace(i, i + 1, JSON.stringify(char).slice(1, -1));
    } else if (char === '"') inString = true;
    else if (char === "{") depth++;
    else if (char === "}" && --depth === 0) return { json: json + text.slice(copied, i + 1), end: i + 1 };
    else if (char === "/") {
      const mark = COMMENT_ENDS[text[i + 1] ?? ""];
      const end = mark === undefined ? -1 : text.indexOf(mark, i + 2);
      if (mark === undefined || end === -1) return undefined;
      replace(i, end + mark.length, "");
      i = end + mark.length - 1;
    }
  }
  return undefined;
}

const COMMENT_ENDS: Readonly<Record<string, string | undefined>> = { "/": "\n", "*": "*/" };

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
