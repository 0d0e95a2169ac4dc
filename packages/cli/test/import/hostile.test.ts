import { assert } from "fast-check";
import { describe, expect, test } from "vitest";
import { CANARY, leakOf, PAYLOADS } from "./canary.ts";
import { changeStrings, countStrings, KINDS } from "./documents.ts";
import properties from "./import.fuzz.ts";

describe("[C-import-literal] text of a document is never a template, in any of its strings", () => {
  test.each(Object.entries(KINDS))("%s", (_, { documents, read }) => {
    const leaks: string[] = [];
    let imported = 0;
    for (const document of documents) {
      for (let at = 0; at < countStrings(document); at++) {
        for (const [number, payload] of PAYLOADS.entries()) {
          // Each string gets some of the payloads, before it, after it or instead of it in turn.
          if (number % 6 !== at % 6) continue;
          const place = (at + number) % 3;
          const hostile = changeStrings(document, (text, index) =>
            index !== at ? text : place === 0 ? text + payload : place === 1 ? payload + text : payload,
          );
          const made = readOrUndefined(() => read(hostile));
          if (made === undefined) continue;
          imported += 1;
          const leak = leakOf(made);
          if (leak !== undefined) leaks.push(`${payload}: ${leak}`);
        }
      }
    }
    expect(leaks).toEqual([]);
    expect(imported).toBeGreaterThan(documents.length * 20);
  });

  test("the check sees a leak", () => {
    const tool = { execution: { type: "http", url: `https://a.example/{{env.${CANARY}}}` } };
    const made = { document: { tools: [tool], envAllowList: [] }, variables: [] };
    expect(leakOf(made)).toContain(`reads env.${CANARY}`);
  });
});

describe("[C-import-literal] [C-import-secrets] properties hold for many random documents", () => {
  test.each(properties)("$name", ({ property }) => {
    assert(property as Parameters<typeof assert>[0], { numRuns: 100 });
  });
});

/** undefined: the document is refused. */
function readOrUndefined<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (error instanceof Error && /^(MCIClientError|CliError)$/.test(error.name)) return undefined;
    throw error;
  }
}
