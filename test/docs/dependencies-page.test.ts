import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const page = read("docs/decisions/2026-11-15-dependencies.md");

test.each(["mci", "cli", "council", "server", "postgres"])(
  "every runtime dependency of packages/%s has its line",
  (dir) => {
    const { name, dependencies = {} } = JSON.parse(read(`packages/${dir}/package.json`));
    const [, section] = page.split(`\n## ${name}\n`);
    const own = section?.split("\n## ")[0] ?? "";
    const named = [...own.matchAll(/^\|([^|]*)\|/gm)].flatMap(([, cell]) =>
      [...cell!.matchAll(/`([^`]+)`/g)].map(([, dependency]) => dependency),
    );
    expect(named.sort()).toEqual(Object.keys(dependencies).sort());
  },
);
