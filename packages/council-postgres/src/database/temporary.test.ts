import { expect, it } from "vitest";
import { isTemporary } from "./temporary.ts";

it("a server that is read-only, full, busy or ended a statement is waited for; a mistake is not [TD-weather]", () => {
  for (const code of ["08006", "25006", "25P03", "40001", "53100", "53300", "57014", "57P01", "58030"])
    expect([code, isTemporary({ code })]).toEqual([code, true]);
  for (const code of ["22P02", "23505", "42703", "XX000"])
    expect([code, isTemporary({ code })]).toEqual([code, false]);
});
