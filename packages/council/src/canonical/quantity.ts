import { print, times } from "./decimal.ts";
import { parseNumber, scaled } from "./number.ts";
import { findUnit } from "./unit.ts";

/** A number alone or with a unit: `1,000` is `1000`, `5 km` is `5000 m`, `first` is `1st`. */
export function canonicalQuantity(plain: string): string | undefined {
  const text = plain
    .replace(/\bper\s+cent\b/i, "percent")
    .replace(/\bdegrees\s+(?=celsius|fahrenheit|c\b|f\b)/i, "")
    .replace(/\s+/g, " ");
  return ordinal(text) ?? withCurrencySign(text) ?? withUnit(text);
}

function withUnit(text: string): string | undefined {
  const alone = parseNumber(text);
  if (alone !== undefined) return print(alone);
  const match = /^(.*?[\d.]|[a-z -]+?)( ?)([^\d\s,.][^\s,]*)$/i.exec(text);
  if (match === null) return undefined;
  const [, figure = "", space, word = ""] = match;
  const value = parseNumber(figure.trim());
  if (value === undefined) return amountWithUnit(figure.trim(), word);
  // Attached letters: 10k and 5M are counts, 5K may be kelvin, 1990s is a decade.
  if (space === "" && (word === "k" || word === "M"))
    return print(times(value, { digits: 1n, exponent: word === "k" ? 3 : 6 }));
  if (space === "" && word === "s" && /\d{3}0$/.test(figure)) return undefined;
  const multiplied = scaled(value, word.toLowerCase());
  if (multiplied !== undefined) return print(multiplied);
  const unit = findUnit(word);
  return unit && `${print(times(value, unit.factor))} ${unit.dimension}`;
}

/** "5 million dollars" */
function amountWithUnit(figure: string, word: string): string | undefined {
  const [number = "", scale = "", ...more] = figure.split(" ");
  const value = parseNumber(number);
  const amount = value && more.length === 0 ? scaled(value, scale.toLowerCase()) : undefined;
  const unit = findUnit(word);
  return amount && unit && `${print(times(amount, unit.factor))} ${unit.dimension}`;
}

function withCurrencySign(text: string): string | undefined {
  const match = /^(US\$|R\$|\$|€|£) ?(\d.*)$/.exec(text);
  const value = match && parseNumber(match[2]!);
  return value ? `${print(value)} ${CURRENCIES[match[1]!]}` : undefined;
}

const CURRENCIES: Readonly<Record<string, string>> = {
  US$: "usd",
  $: "usd",
  R$: "brl",
  "€": "eur",
  "£": "gbp",
};

const ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split(" ");

function ordinal(text: string): string | undefined {
  const word = ORDINALS.indexOf(text.toLowerCase().replace(/^the /, "")) + 1;
  const figure = /^(?:the )?(\d{1,4})(?:st|nd|rd|th)$/i.exec(text)?.[1];
  return word > 0 ? `ordinal ${word}` : figure && `ordinal ${Number(figure)}`;
}
