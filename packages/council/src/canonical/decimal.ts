/** An exact decimal number: digits times ten to the exponent, digits without a trailing zero. */
export interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

export function decimal(digits: bigint, exponent = 0): Decimal {
  if (digits === 0n) return { digits, exponent: 0 };
  let [d, e] = [digits, exponent];
  while (d % 10n === 0n) {
    d /= 10n;
    e++;
  }
  return { digits: d, exponent: e };
}

export function times(a: Decimal, b: Decimal): Decimal {
  return decimal(a.digits * b.digits, a.exponent + b.exponent);
}

export const print = ({ digits, exponent }: Decimal) => `${digits}e${exponent}`;

/** Digits with an optional point and exponent, e.g. `-1.50e3`. */
export function parseDecimal(text: string): Decimal | undefined {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,4}))?$/i.exec(text);
  if (match === null || (match[2] === "" && !match[3])) return undefined;
  const [, sign, whole = "", fraction = "", exponent = "0"] = match;
  const digits = BigInt(whole + fraction) * (sign === "-" ? -1n : 1n);
  return decimal(digits, Number(exponent) - fraction.length);
}
