import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { everythingPage } from "./compare.ts";
import { FEATURES } from "./features.ts";

const page = readFileSync(new URL("../everything.md", import.meta.url), "utf8");

test("the committed page has a row for every feature, and no difference without a reason", () => {
  for (const { name } of FEATURES) expect(page).toContain(`| ${name} | `);
  expect(page).not.toContain("a defect");
});

test("a difference without a reason is called a defect", () => {
  const rows = [
    { name: "x", isSame: true },
    { name: "y", isSame: false },
    { name: "z", isSame: false, reason: "because", isKept: true },
  ];
  const text = everythingPage(rows, "1.0.0");
  expect(text).toContain(
    "1 of 3 are the same. In 1 more nothing is lost: it is said in another way. The other 1 ",
  );
  expect(text).toContain("| y | differs: **a defect** |");
  expect(text).toContain("| z | differs: because |");
});
