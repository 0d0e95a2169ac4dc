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
 * What a reader does not see is written out: controls, direction marks, characters without a width or a meaning, tags. A model reads them,
 * and a few of them between visible letters can hold a second text. Joiners stay where writing needs them, and the selector of an emoji.
 */
function escapeHidden(text: string): string {
  if (/^[\n\t -~]*$/.test(text)) return text;
  return text.replace(hiddenCharacters(), (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`);
}

/** Scripts in which a joiner changes how a word looks: Arabic, those of India, and their neighbours. */
const JOINED = "Arab Syrc Nkoo Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Mymr Khmr";

function hiddenCharacters(): RegExp {
  const joined = `[${JOINED.replace(/(\w+) ?/g, "\\p{scx=$1}")}]`;
  const needed = [
    String.raw`[\n\t]`,
    String.raw`(?<=${joined})[\u200c\u200d](?=${joined})`,
    String.raw`(?<=[\p{ExtPict}\p{EMod}]|\p{ExtPict}\ufe0f)\u200d(?=\p{ExtPict})`,
    String.raw`(?<=\p{Emoji})[\ufe0e\ufe0f]`,
  ];
  // Not every code point without a meaning: a later version of Unicode gives it one, and a locked text would change.
  const hidden = String.raw`[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{NChar}\p{DI}\u2800]`;
  return new RegExp(`(?!${needed.join("|")})${hidden}`, "gu");
}
