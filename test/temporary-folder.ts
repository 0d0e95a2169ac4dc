import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder with these files (an object is written as JSON), without links in its path; gone when the test is over, or with `cleanUp`. */
export function temporaryFolder(
  files: Readonly<Record<string, string | object>> = {},
  cleanUp: (end: () => void) => unknown = onTestFinished,
): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "mci-test-")));
  cleanUp(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    const isText = typeof content === "string" || Buffer.isBuffer(content);
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), isText ? content : JSON.stringify(content, null, 2));
  }
  return root;
}
