import type { Secrets } from "../../secrets.ts";

/** What a server says to the model about itself, as the file passes it on. */
export interface LoadedInstructions {
  readonly listed: { readonly text: string };
  readonly source: { readonly server: string; readonly name: string };
  /** The prefix that the file gives to names of the server. */
  readonly prefix: string;
}

/** Characters of one server; the rest is cut, with a note at the end. */
export const MAX_INSTRUCTIONS = 10_000;

/**
 * The instructions of a server without the values that it was sent, and with nothing that a person who reviews them would not see:
 * the model reads every character. Cut after that, so that a part of a secret does not remain. Undefined if nothing is left.
 */
export function cleanInstructions(instructions: unknown, secrets: Secrets): string | undefined {
  if (typeof instructions !== "string") return undefined;
  const masked = secrets.mask(instructions).trim();
  if (masked === "") return undefined;
  const text = escapeHidden(masked.slice(0, MAX_INSTRUCTIONS + 1).replace(/\r\n?/g, "\n"));
  if (masked.length <= MAX_INSTRUCTIONS && text.length <= MAX_INSTRUCTIONS) return text;
  // Not in the middle of a pair of surrogates.
  const kept = text.slice(0, MAX_INSTRUCTIONS - CUT.length).replace(/[\ud800-\udbff]$/, "");
  return kept + CUT;
}

const CUT = "\n[cut: the instructions are longer]";

/**
 * Controls, characters without a width, direction marks, tags and separators of lines are written out. A joiner stays between
 * letters or in an emoji, and one variation selector after a character.
 */
function escapeHidden(text: string): string {
  if (/^[\n\t -~]*$/.test(text)) return text;
  return text.replace(HIDDEN, (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`);
}

const HIDDEN =
  /(?![\n\t])(?!(?<=[\p{L}\p{M}\p{Extended_Pictographic}])[\u200c\u200d](?=[\p{L}\p{Extended_Pictographic}]))[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0\u2800]|[\u{e0100}-\u{e01ef}]|\u034f|(?<=[\ufe00-\ufe0f])[\ufe00-\ufe0f]/gu;
