import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const page = read("docs/decisions/2026-11-15-dependencies.md");

/** What it needs is bundled, and so among its development dependencies; what the command bundles is the library's. */
const BUNDLED = "council-server";

test.each(["mci", "cli", "council", "council-server", "council-postgres", "fake-provider"])(
  "every runtime dependency of packages/%s has its line",
  (dir) => {
    const {
      name,
      dependencies = {},
      devDependencies = {},
    } = JSON.parse(read(`packages/${dir}/package.json`));
    const needed = { ...dependencies, ...(dir === BUNDLED ? devDependencies : {}) };
    const others = Object.keys(needed).filter((dependency) => !dependency.startsWith("@mci-ts/"));
    const [, section] = page.split(`\n## ${name}\n`);
    const own = section?.split("\n## ")[0] ?? "";
    const named = [...own.matchAll(/^\|([^|]*)\|/gm)].flatMap(([, cell]) =>
      [...cell!.matchAll(/`([^`]+)`/g)].map(([, dependency]) => dependency),
    );
    expect(named.sort()).toEqual(others.sort());
  },
);
