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
  const whole = parseObject(reply.text, plainNumbers);
  if (whole !== undefined) return { value: whole };
  return onlyObjectIn(withoutReasoning(reply.text), plainNumbers);
}

/** The text without what a model thought aloud. An unclosed block runs to the end; a lone closing tag ends one that began before. */
export function withoutReasoning(text: string): string {
  const open = text.replace(REASONING, "");
  const lone = open.toLowerCase().lastIndexOf("</think>");
  return lone === -1 ? open : open.slice(lone + "</think>".length);
}

const REASONING =
  /<(think|thinking|thought|reasoning)>[\s\S]*?(?:<\/\1>|$)|<\|channel\|>analysis<\|message\|>[\s\S]*?(?:<\|end\|>|$)/gi;

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
