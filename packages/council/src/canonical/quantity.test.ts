import fc from "fast-check";
import { expect, test } from "vitest";
import { canonical } from "./canonical.ts";

const key = (text: string) => canonical(text).key;
const grouped = (n: bigint, sign: string) => n.toString().replace(/\B(?=(\d{3})+(?!\d))/g, sign);
const number = fc.bigInt({ min: 0n, max: 10n ** 24n });

test("[B-forms] a whole number is the same number however its digits are grouped", () => {
  fc.assert(
    fc.property(number, (n) => {
      for (const spelling of [grouped(n, ","), grouped(n, " "), `${n}.0`, `+${n}`, `**${n}**`, `${n} %`]) {
        expect(key(spelling)).toBe(key(spelling.endsWith("%") ? `${n}%` : `${n}`));
      }
    }),
  );
});

test("[B-forms] two different numbers never meet, in any grouping, with any sign or unit", () => {
  const spell = [
    (n: bigint) => `${n}`,
    (n: bigint) => grouped(n, ","),
    (n: bigint) => `-${n}`,
    (n: bigint) => `0.${n}1`,
    (n: bigint) => `${n} km`,
    (n: bigint) => `${n} kg`,
    (n: bigint) => `$${n}`,
    (n: bigint) => `${n}%`,
    (n: bigint) => `${n}th`,
  ];
  const spelling = fc.constantFrom(...spell.keys());
  fc.assert(
    fc.property(number, number, spelling, spelling, (a, b, i, j) => {
      const [x, y] = [spell[i]!(a), spell[j]!(b)];
      const sameKind = i === j || (i <= 1 && j <= 1);
      const same = (a === b && sameKind) || (a === 0n && b === 0n && i <= 2 && j <= 2);
      expect(key(x) === key(y), `${x} | ${y}`).toBe(same);
    }),
  );
});

test("[B-forms] units of one dimension are converted exactly", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 10n ** 20n }), (n) => {
      expect(key(`${n} km`)).toBe(key(`${n}000 m`));
      expect(key(`${n} min`)).toBe(key(`${n * 60n} s`));
      expect(key(`${n} ft`)).toBe(key(`${n * 12n} in`));
    }),
  );
});
