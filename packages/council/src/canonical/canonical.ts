import { bareAnswer } from "./bare-answer.ts";
import { canonicalCode, fenced, looksLikeCode } from "./code.ts";
import { canonicalDate } from "./date.ts";
import { canonicalFormula, isVerbatim } from "./exact.ts";
import { canonicalJson } from "./json.ts";
import { withoutLatex } from "./latex.ts";
import { plain, stripMarkup, unwrap } from "./plain.ts";
import { canonicalQuantity } from "./quantity.ts";
import { canonicalText } from "./text.ts";

type Kind = "json" | "code" | "exact" | "date" | "quantity" | "boolean" | "text";

/** The form in which two spellings of one answer are equal. */
export interface Canonical {
  /** Kinds other than text are exact: two that differ mean different things. */
  readonly kind: Kind;
  /** Includes the kind, so that keys of different kinds never meet. */
  readonly key: string;
}

/**
 * Only what surely means the same gets the same key: a wrong merge elects a wrong answer, a wrong split costs a call. `question`: what
 * was asked, so that what an answer only repeats of it does not count.
 */
export function canonical(reply: string, question?: string): Canonical {
  const answer = question !== undefined && ASKS_FOR_SOURCE.test(question) ? reply : withoutLatex(reply);
  if (question === undefined) return canonicalForm(answer);
  const bare = bareAnswer(answer, question);
  return of("exact", ASKS_FOR_VERSION.test(question) ? version(bare) : undefined) ?? canonicalForm(bare);
}

/** In most languages of the router it is the same word. */
const ASKS_FOR_VERSION = /(?<!\p{L})(?:versions?|vers[ãõ](?:o|es)|versi[oó]n(?:es)?|releases?)(?!\p{L})/iu;

/** Where backslashes are what was asked for. */
const ASKS_FOR_SOURCE = /\b(?:la)?tex\b|\b(?:reg(?:ular expression|ex)|escaped?|path|command)/i;

/** 1.10 is ten releases after 1.0, not 1.1. */
function version(answer: string): string | undefined {
  const figures = /^(?:version |v\.? ?)?(\d{1,6}(?:\.\d{1,6}){1,5})\.?$/i.exec(plain(answer))?.[1];
  return figures && `version ${figures}`;
}

function canonicalForm(answer: string): Canonical {
  const whole = answer.trim();
  if (whole.length > MAX_CHARS) return { kind: "text", key: `text:${whole}` };
  const block = fenced(answer);
  if (block !== undefined) return ofCode(block.code, block.language);
  const bare = unwrap(whole);
  if (isVerbatim(bare)) return { kind: "exact", key: `exact:${bare}` };
  const code = /^`([^`]+)`[.,;]?$/.exec(whole)?.[1];
  if (code !== undefined && /[^\p{Ll}\p{N}\s.'-]/u.test(code)) return ofInlineCode(code);
  const written = stripMarkup(answer);
  const text = plain(answer);
  return (
    of("json", canonicalJson(text)) ??
    of("code", looksLikeCode(bare) ? canonicalCode(written.replace(/\.$/, "")) : undefined) ??
    of("date", canonicalDate(text)) ??
    of("quantity", canonicalQuantity(text)) ??
    of("boolean", canonicalBoolean(text)) ??
    of("exact", canonicalFormula(text)) ?? { kind: "text", key: `text:${canonicalText(text)}` }
  );
}

function ofCode(code: string, language: string): Canonical {
  const json = of("json", canonicalJson(code));
  if (json !== undefined) return json;
  return isVerbatim(code) && !code.includes("\n")
    ? { kind: "exact", key: `exact:${code.trim()}` }
    : { kind: "code", key: `code:${canonicalCode(code, language)}` };
}

/** Inside backticks even the case of a word counts; what is written so may still mean the same as plain words. */
function ofInlineCode(code: string): Canonical {
  const exact =
    of("json", canonicalJson(code)) ??
    of("date", canonicalDate(code)) ??
    of("quantity", canonicalQuantity(code));
  if (exact !== undefined) return exact;
  if (looksLikeCode(code)) return { kind: "code", key: `code:${canonicalCode(code)}` };
  return { kind: "text", key: `text:${code.replace(/\s+/g, " ").trim()}` };
}

/** What is longer than this is not a short answer any more: it is compared as it was written. */
const MAX_CHARS = 4000;

function of(kind: Kind, key: string | undefined): Canonical | undefined {
  return key === undefined ? undefined : { kind, key: `${kind}:${key}` };
}

/** Plain yes and no, which to one question mean the same as true and false. "No, but …" is text. */
function canonicalBoolean(plain: string): string | undefined {
  const word = plain.toLowerCase();
  return YES.has(word) ? "yes" : NO.has(word) ? "no" : undefined;
}

const YES = new Set([
  "yes",
  "yeah",
  "yep",
  "true",
  "sim",
  "verdadeiro",
  "sí",
  "verdadero",
  "ja",
  "oui",
  "sì",
  "vrai",
  "да",
  "はい",
  "是",
  "是的",
  "对",
  "हाँ",
  "हां",
  "نعم",
  "네",
  "예",
  "evet",
]);
const NO = new Set([
  "no",
  "nope",
  "false",
  "não",
  "nao",
  "falso",
  "nein",
  "non",
  "faux",
  "нет",
  "いいえ",
  "否",
  "不",
  "不是",
  "नहीं",
  "لا",
  "아니요",
  "아니오",
  "hayır",
]);
