import { type Decimal, decimal, print, times } from "./decimal.ts";
import { parseNumber, scaled } from "./number.ts";
import { findUnit } from "./unit.ts";

/** A number alone or with a unit: `1,000` is `1000`, `5 km` is `5000 m`, `first` is `1st`. */
export function canonicalQuantity(plain: string): string | undefined {
  if (plain.length > MAX_CHARS) return undefined;
  const text = plain
    .replace(/\bper\s+cent\b/i, "percent")
    .replace(/\bdegrees\s+(?=celsius|fahrenheit|c\b|f\b)/i, "")
    .replace(/^%\s?(?=\d[\d.,]*$)(.*)$/, "$1%")
    .replace(/\s+/g, " ");
  return ordinal(text) ?? withCurrencySign(text) ?? withUnit(text);
}

const MAX_CHARS = 200;

function withUnit(text: string): string | undefined {
  const alone = parseNumber(text);
  if (alone !== undefined) return print(alone);
  const apart = /^(.+) (\S+)$/.exec(text);
  if (apart) {
    const amount = parseAmount(apart[1]!);
    const multiplied = amount && scaled(amount, apart[2]!.toLowerCase());
    const unit = findUnit(apart[2]!);
    if (multiplied) return print(multiplied);
    if (amount && unit) return `${print(times(amount, unit.factor))} ${unit.dimension}`;
  }
  const attached = /^(.*\d)([^\d\s.,]\S*)$/.exec(text);
  return attached ? withAttached(attached[1]!, attached[2]!) : undefined;
}

/** 10k and 5M are counts; 5K may be kelvin; 1990s is a decade. */
function withAttached(figure: string, letters: string): string | undefined {
  const value = parseNumber(figure);
  if (value === undefined) return undefined;
  if (letters === "k" || letters === "M") return print(times(value, decimal(1n, letters === "k" ? 3 : 6)));
  const unit = letters === "s" && /\d{3}0$/.test(figure) ? undefined : findUnit(letters);
  return unit && `${print(times(value, unit.factor))} ${unit.dimension}`;
}

/** "5", "five", "5 million" */
function parseAmount(text: string): Decimal | undefined {
  const [figure = "", scale = "", ...more] = text.split(" ");
  const value = more.length === 0 ? parseNumber(figure) : undefined;
  return parseNumber(text) ?? (value && scaled(value, scale.toLowerCase()));
}

function withCurrencySign(text: string): string | undefined {
  const match = /^(US\$|R\$|\$|€|£) ?(\d.*)$/.exec(text);
  const value = match && parseAmount(match[2]!);
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
