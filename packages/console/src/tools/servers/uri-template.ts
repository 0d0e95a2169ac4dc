/** A template of addresses (RFC 6570) as a form fills it in: each variable is one text. */
export interface UriTemplate {
  readonly variables: readonly { readonly name: string; readonly required: boolean }[];
  /** The address with these values; what is empty is left out. */
  expand(values: Readonly<Record<string, string>>): string;
}

interface Operator {
  /** Before the first value, and between two. */
  readonly first: string;
  readonly separator: string;
  /** Whether each value has its name before it. */
  readonly isNamed: boolean;
  /** Whether characters that mean something in an address stay as they are. */
  readonly keepsReserved: boolean;
}

const operator = (
  first: string,
  separator: string,
  { isNamed = false, keepsReserved = false } = {},
): Operator => ({ first, separator, isNamed, keepsReserved });

const OPERATORS: ReadonlyMap<string, Operator> = new Map([
  ["", operator("", ",")],
  ["+", operator("", ",", { keepsReserved: true })],
  ["#", operator("#", ",", { keepsReserved: true })],
  [".", operator(".", ".")],
  ["/", operator("/", "/")],
  [";", operator(";", ";", { isNamed: true })],
  ["?", operator("?", "&", { isNamed: true })],
  ["&", operator("&", "&", { isNamed: true })],
]);

const EXPRESSION = /\{([^{}]*)\}/;
const VARIABLE =
  /^((?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})(?:[A-Za-z0-9_.]|%[0-9A-Fa-f]{2})*)(?::([1-9]\d{0,3})|\*)?$/;
/** Variables of one template: a form with more fields cannot be used. */
const MAX_VARIABLES = 100;

type Part = string | { readonly operator: Operator; readonly variables: readonly Variable[] };
interface Variable {
  readonly name: string;
  readonly maxChars: number | undefined;
}

/** Undefined for what is not a template by the standard: it cannot be filled in. */
export function parseUriTemplate(template: string): UriTemplate | undefined {
  const parts: Part[] = [];
  // Every second piece is an expression.
  for (const [index, piece] of template.split(EXPRESSION).entries()) {
    const part = index % 2 === 0 ? literal(piece) : expression(piece);
    if (part === undefined) return undefined;
    parts.push(part);
  }
  const required = new Map<string, boolean>();
  for (const part of parts) {
    if (typeof part === "string") continue;
    for (const { name } of part.variables)
      required.set(name, required.get(name) === true || !/[?&;#]/.test(part.operator.first));
  }
  if (required.size === 0 || required.size > MAX_VARIABLES) return undefined;
  return {
    variables: [...required].map(([name, isRequired]) => ({ name, required: isRequired })),
    expand: (values) => parts.map((part) => expandPart(part, values)).join(""),
  };
}

const literal = (text: string) => (/[{}]/.test(text) ? undefined : text);

function expression(text: string): Part | undefined {
  const [, sign = "", list = ""] = /^([+#./;?&]?)(.*)$/s.exec(text)!;
  const variables = list.split(",").map((each): Variable | undefined => {
    const [, name, maxChars] = VARIABLE.exec(each) ?? [];
    return name === undefined
      ? undefined
      : { name, maxChars: maxChars === undefined ? undefined : Number(maxChars) };
  });
  if (variables.includes(undefined)) return undefined;
  return { operator: OPERATORS.get(sign)!, variables: variables as Variable[] };
}

function expandPart(part: Part, values: Readonly<Record<string, string>>): string {
  if (typeof part === "string") return part;
  const { first, separator, isNamed, keepsReserved } = part.operator;
  const written = part.variables.flatMap(({ name, maxChars }) => {
    const value = Object.hasOwn(values, name) ? values[name]! : "";
    if (value === "") return [];
    const cut = maxChars === undefined ? value : [...value].slice(0, maxChars).join("");
    const encoded = encode(cut, keepsReserved);
    return [isNamed ? `${name}=${encoded}` : encoded];
  });
  return written.length === 0 ? "" : first + written.join(separator);
}

function encode(text: string, keepsReserved: boolean): string {
  const whole = text.toWellFormed();
  if (!keepsReserved)
    return encodeURIComponent(whole).replace(
      /[!'()*]/g,
      (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  // What is percent-encoded already stays so.
  return encodeURI(whole)
    .replace(/%25([0-9A-Fa-f]{2})/g, "%$1")
    .replace(/%5B/g, "[")
    .replace(/%5D/g, "]");
}
