import { unwrap } from "./plain.ts";

/**
 * An answer in LaTeX as plain signs: "$2000\text{ m}$" as "2000 m", "\frac{1}{2}" as "1/2". One that holds a command which is not known
 * here stays as it is: a path or a regular expression has backslashes, too.
 */
export function withoutLatex(answer: string): string {
  if (answer.length > MAX_CHARS || !/[\\{]/.test(answer)) return answer;
  // Two boxes are two answers.
  if (answer.split("\\boxed").length > 2) return answer;
  const bare = unwrap(answer);
  const inside = MATHS.reduce((text, delimited) => text.replace(delimited, "$1").trim(), bare);
  const figures = inside.replace(/(?<=\d)(?:\{,\}|\\,)(?=\d{3}(?!\d))/g, ",").replace(/(?<=\d)\s?\\%/g, "%");
  // Elsewhere an escaped sign may be one of a shell or a regular expression.
  const isFormula = inside !== bare || NAMED.test(figures);
  let text = isFormula ? SIGNS.reduce((all, [sign, plain]) => all.replace(sign, plain), figures) : figures;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const before = text;
    for (const [command, plain] of COMMANDS) text = text.replace(command, plain);
    if (text === before) break;
  }
  return /[\\{}]/.test(text) ? answer : text.trim();
}

const MAX_CHARS = 300;
const MAX_DEPTH = 4;
const MATHS = [
  /^\$\$?((?:\\\$|[^$])+)\$\$?\.?$/,
  /^\\\[([\s\S]*)\\\]\.?$/,
  /^\\\(([\s\S]*)\\\)\.?$/,
] as const;
const NAMED =
  /\\(?:boxed|fbox|text|textbf|mathrm|mathbf|operatorname|[dt]?frac|sqrt)\b|\\(?:times|cdot|div|pi)\b/;

const SIGNS: readonly (readonly [RegExp, string])[] = [
  [/\\[,;: ]|\\quad(?![a-z])|~/gi, " "],
  [/\\!|\\left(?![a-z])|\\right(?![a-z])/gi, ""],
  [/\\([%$&#_])/g, "$1"],
  [/\^\{?\\circ\}?|\\degree(?![a-z])/gi, "°"],
  [/\\(?:times|cdot)(?![a-z])/gi, "*"],
  [/\\div(?![a-z])/gi, "/"],
  [/\\pi(?![a-z])/gi, "π"],
  [/\\leq?(?![a-z])/gi, "≤"],
  [/\\geq?(?![a-z])/gi, "≥"],
];

/** From the inside out. */
const COMMANDS: readonly (readonly [RegExp, string])[] = [
  [/\\(?:text|textbf|textit|mathrm|mathbf|mathit|operatorname)\s?\{([^{}]*)\}/g, "$1"],
  [/\\f?box(?:ed)?\s?\{([^{}]*)\}(?![\w{])/g, "$1"],
  [/(?<=\d)\\[dt]?frac(?=[{\d])/g, " \\frac"],
  [/\\[dt]?frac\{(-?[\w.π]+)\}\{([\w.π]+)\}(?![\w.{])/g, "$1/$2"],
  [/\\[dt]?frac(\d)(\d)(?![\w.{])/g, "$1/$2"],
  [/\\sqrt\{(\w+)\}(?![\w.{])/g, "√$1"],
  [/\^\{(-?\w+)\}(?![\w.{])/g, "^$1"],
];
