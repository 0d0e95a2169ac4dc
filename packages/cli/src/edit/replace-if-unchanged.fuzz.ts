import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { replaceIfUnchanged } from "./replace-if-unchanged.ts";

let folder: string | undefined;
function file(): string {
  if (folder === undefined) {
    const made = mkdtempSync(join(tmpdir(), "mci-fuzz-save-"));
    process.once("exit", () => rmSync(made, { recursive: true, force: true }));
    folder = made;
  }
  return join(folder, "f.json");
}

export default [
  {
    name: "of saves at once exactly one of those based on the present text wins",
    property: fc.asyncProperty(
      fc.string(),
      fc.array(fc.record({ isCurrent: fc.boolean(), text: fc.string() }), { minLength: 1, maxLength: 4 }),
      async (before, saves) => {
        writeFileSync(file(), before);
        const texts = saves.map(({ text }, index) => `${text} ${index} ${before}.`);
        const results = await Promise.all(
          saves.map(({ isCurrent }, index) =>
            replaceIfUnchanged(
              file(),
              texts[index]!,
              (current) => current === (isCurrent ? before : `${before} older`),
            ),
          ),
        );
        const winners = texts.filter((_, index) => results[index]);
        const after = readFileSync(file(), "utf8");
        const isRight = saves.some(({ isCurrent }) => isCurrent)
          ? winners.length === 1 && after === winners[0]
          : winners.length === 0 && after === before;
        return isRight && readdirSync(folder!).length === 1;
      },
    ),
  },
];
