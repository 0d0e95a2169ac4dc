import { type Decimal, decimal, parseDecimal, times } from "./decimal.ts";

/** A number in figures or words; undefined where more than one reading is possible, such as 1.500. */
export function parseNumber(text: string): Decimal | undefined {
  return inFigures(text) ?? inWords(text.toLowerCase());
}

const MAX_CHARS = 60;

function inFigures(text: string): Decimal | undefined {
  if (text.length > MAX_CHARS) return undefined;
  const match = /^([+-]?)\s?(\d[\d.,_' ]*|\.\d+)(e[+-]?\d{1,4}|\^-?\d{1,3}|\/\d{1,3})?$/i.exec(text);
  if (match === null) return undefined;
  const [, sign, figures, suffix = ""] = match;
  if (/^0\d/.test(figures!)) return undefined; // 007 is a name, 00123 a code.
  const plain = withoutGroups(figures!);
  if (plain === undefined) return undefined;
  const value = suffix.startsWith("^")
    ? power(plain, suffix)
    : suffix.startsWith("/")
      ? fraction(plain, suffix)
      : parseDecimal(plain + suffix);
  return value && (sign === "-" ? { ...value, digits: -value.digits } : value);
}

/** Groups of three and the decimal sign, in the English and the continental way. */
function withoutGroups(figures: string): string | undefined {
  if (/^(?:\d+|\d*\.\d+)$/.test(figures)) return /^[1-9]\d{0,2}\.\d00$/.test(figures) ? undefined : figures;
  if (/^\d{1,3}([,_' ])\d{3}(?:\1\d{3})*(?:\.\d+)?$/.test(figures) && !/^0,/.test(figures))
    return figures.replace(/[,_' ]/g, "");
  // India counts in hundreds from the second group on.
  if (/^[1-9]\d?(?:,\d{2})+,\d{3}(?:\.\d+)?$/.test(figures)) return figures.replaceAll(",", "");
  if (/^\d{1,3}(?:[ '_]\d{3})+,(?:\d{1,2}|\d{4,})$/.test(figures))
    return figures.replace(/[ '_]/g, "").replace(",", ".");
  if (/^\d{1,3}(?:\.\d{3})+,\d+$/.test(figures) || /^\d{1,3}(?:\.\d{3}){2,}$/.test(figures))
    return figures.replaceAll(".", "").replace(",", ".");
  if (/^(?:0|\d+),(?:\d{1,2}|\d{4,})$/.test(figures) || /^0,\d+$/.test(figures))
    return figures.replace(",", ".");
  return /^\d+\.$/.test(figures) ? figures.slice(0, -1) : undefined;
}

function power(base: string, suffix: string): Decimal | undefined {
  const exponent = Number(suffix.slice(1));
  if (base === "10" && exponent < 0 && exponent >= -100) return decimal(1n, exponent);
  return /^\d{1,6}$/.test(base) && exponent >= 0 && exponent <= 100
    ? decimal(BigInt(base) ** BigInt(exponent))
    : undefined;
}

/** Proper fractions in lowest terms that end in decimals; 4/4 and 2/4 may be something else. */
function fraction(numerator: string, suffix: string): Decimal | undefined {
  const places: Readonly<Record<string, [bigint, number]>> = {
    2: [5n, -1],
    4: [25n, -2],
    5: [2n, -1],
    8: [125n, -3],
  };
  const place = places[suffix.slice(1)];
  const n = Number(numerator);
  const d = Number(suffix.slice(1));
  if (place === undefined || !Number.isInteger(n) || n < 1 || n >= d || (d !== 5 && n % 2 === 0))
    return undefined;
  return decimal(BigInt(n) * place[0], place[1]);
}

const ONES =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const SCALES: ReadonlyMap<string, bigint> = new Map([
  ["thousand", 1000n],
  ["million", 1_000_000n],
  ["billion", 1_000_000_000n],
]);

/**
 * Other languages, as one word. Left out is what means something else as well: "null", "elf", "once", "sept", "dos", "seize", "quince",
 * "due", "otto".
 */
const OTHER_WORDS: ReadonlyMap<string, number> = new Map(
  [
    "2 zwei deux dois",
    "3 drei trois tres três tre",
    "4 vier quatre cuatro quattro quatro",
    "5 fünf cinq cinco cinque",
    "6 sechs seis",
    "7 sieben siete sette sete",
    "8 acht huit ocho oito",
    "9 neun neuf nueve nove",
    "10 zehn dix diez dieci dez",
    "11 onze undici",
    "12 zwölf douze doce dodici doze",
    "13 dreizehn treize trece tredici treze",
    "14 vierzehn quatorze catorce quattordici catorze",
    "15 fünfzehn quinze quindici",
    "16 sechzehn dieciséis sedici dezesseis",
    "20 zwanzig vingt veinte venti vinte",
    "30 dreißig trente treinta trenta trinta",
    "100 hundert",
  ].flatMap((line) => {
    const [value, ...words] = line.split(" ");
    return words.map((word) => [word, Number(value)] as const);
  }),
);

function inWords(text: string): Decimal | undefined {
  if (text.length > 100) return undefined;
  const other = OTHER_WORDS.get(text);
  if (other !== undefined) return decimal(BigInt(other));
  const words = text.split(/[\s-]+/);
  const negative = words[0] === "minus";
  let [total, group] = [0n, 0n];
  let last = "";
  for (const word of negative ? words.slice(1) : words) {
    const one = ONES.indexOf(word);
    const ten = TENS.indexOf(word);
    const scale = SCALES.get(word);
    if (one >= 0) {
      if (last === "one" || (last === "ten" && (one === 0 || one > 9))) return undefined; // "one two" is a list
      group += BigInt(one);
      last = "one";
    } else if (ten >= 0) {
      if (last === "one" || last === "ten") return undefined;
      group += BigInt(20 + 10 * ten);
      last = "ten";
    } else if (word === "hundred" && last === "one" && group < 10n) {
      group *= 100n;
      last = word;
    } else if (scale !== undefined && group > 0n) {
      total += group * scale;
      group = 0n;
      last = word;
    } else if (!(word === "and" && last !== "" && last !== "one" && last !== "ten")) {
      return undefined;
    }
  }
  if (last === "") return undefined;
  return decimal((total + group) * (negative ? -1n : 1n));
}

/** "5 million" and "10k": the number behind, if the word is one that multiplies. */
export function scaled(value: Decimal, word: string): Decimal | undefined {
  const factor = MULTIPLIERS.get(word);
  return factor === undefined ? undefined : times(value, decimal(1n, factor));
}

const MULTIPLIERS: ReadonlyMap<string, number> = new Map([
  ["thousand", 3],
  ["mil", 3],
  ["million", 6],
  ["milhões", 6],
  ["millones", 6],
  ["billion", 9],
  ["trillion", 12],
]);
