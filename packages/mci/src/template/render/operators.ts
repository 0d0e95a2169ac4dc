import { shortest } from "@mci-ts/primitives/exact-json";
import type { ArithmeticOperator, ComparisonOperator } from "../parse/ast.ts";
import { type ComparisonWork, isEqual } from "./equal.ts";
import { isNumber, toNumber } from "./number.ts";
import { typeName } from "./print.ts";

/** What an operator gives; `problem` says why it gives nothing. */
export type OperatorResult = { readonly value: unknown } | { readonly problem: string };

/** False: null, false, 0, "", an empty array, an empty object. */
export function isTruthy(value: unknown, work: Pick<ComparisonWork, "keysOf">): boolean {
  if (typeof value !== "object" || value === null) return Boolean(value);
  return Array.isArray(value) ? value.length > 0 : work.keysOf(value).length > 0;
}

/** Numbers and text compare among themselves, and a text that spells a number compares with numbers. */
export function compare(
  operator: ComparisonOperator,
  left: unknown,
  right: unknown,
  work: ComparisonWork,
): OperatorResult {
  if (operator === "==") return { value: isEqual(left, right, work) };
  if (operator === "!=") return { value: !isEqual(left, right, work) };
  // Nothing is neither more nor less than anything.
  if (left === null || right === null) return { value: false };
  const [a, b] = typeof left === typeof right ? [left, right] : [toNumber(left), toNumber(right)];
  if (typeof a === "string" && typeof b === "string") {
    work.count(1 + Math.floor(Math.min(a.length, b.length) / 1024));
    return { value: isOrdered(operator, a, b) };
  }
  if (isNumber(a) && isNumber(b)) return { value: isOrdered(operator, a, b) };
  return { problem: `Cannot compare ${typeName(left)} ${operator} ${typeName(right)}` };
}

/** `+` joins texts and adds numbers; the others take numbers and texts that spell one. */
export function calculate(operator: ArithmeticOperator, left: unknown, right: unknown): OperatorResult {
  if (operator === "+" && isConcatenation(left, right)) return { value: `${left}${right}` };
  const a = toNumber(left);
  const b = toNumber(right);
  if (a === undefined || b === undefined) {
    return { problem: `Cannot calculate ${typeName(left)} ${operator} ${typeName(right)}` };
  }
  if (Number(b) === 0 && (operator === "/" || operator === "%"))
    return { problem: `Cannot divide by zero with ${operator}` };
  if (typeof a === "bigint" || typeof b === "bigint") {
    const exact = calculateExact(operator, a, b);
    if (exact !== undefined && Number.isFinite(Number(exact))) return { value: exact };
  }
  const value = ARITHMETIC[operator](Number(a), Number(b));
  return Number.isFinite(value) ? { value } : { problem: `The result of ${operator} is too large` };
}

const ARITHMETIC: Readonly<Record<ArithmeticOperator, (a: number, b: number) => number>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "%": (a, b) => a % b,
};

/** With a long integer and another one; undefined with a fraction, or where a fraction may come out. */
function calculateExact(
  operator: ArithmeticOperator,
  a: number | bigint,
  b: number | bigint,
): number | bigint | undefined {
  if (!isInteger(a) || !isInteger(b)) return undefined;
  const [left, right] = [BigInt(a), BigInt(b)];
  switch (operator) {
    case "+":
      return shortest(left + right);
    case "-":
      return shortest(left - right);
    case "*":
      return shortest(left * right);
    case "%":
      return shortest(left % right);
    case "/":
      return undefined;
  }
}

function isInteger(value: number | bigint): boolean {
  return typeof value === "bigint" || Number.isSafeInteger(value);
}

/** Two texts are joined, and a text with a number or boolean, unless it is a number as well: "3" + 4 is 7. */
function isConcatenation(left: unknown, right: unknown): boolean {
  if (typeof left !== "string" && typeof right !== "string") return false;
  if (typeof left === typeof right) return true;
  const other = typeof left === "string" ? right : left;
  if (typeof other === "boolean") return true;
  return isNumber(other) && (toNumber(left) === undefined || toNumber(right) === undefined);
}

function isOrdered<T extends string | number | bigint>(operator: ComparisonOperator, a: T, b: T): boolean {
  if (operator === ">") return a > b;
  if (operator === "<") return a < b;
  return operator === ">=" ? a >= b : a <= b;
}
