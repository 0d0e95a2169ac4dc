import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** A page that leads to an address and that only its owner can read. */
export interface RedirectFile {
  /** Its `file:` address. */
  readonly url: string;
  remove(): void;
}

/**
 * An address with a token must not be an argument of the program that opens the browser: every user of the machine can read
 * the arguments of all programs. The name of this file says nothing.
 */
export function writeRedirectFile(address: string): RedirectFile {
  // The directory belongs to the user alone, too.
  const folder = mkdtempSync(join(tmpdir(), "mci-ui-"));
  const file = join(folder, "open.html");
  writeFileSync(file, pageOf(address), { flag: "wx", mode: 0o600 });
  return {
    url: pathToFileURL(file).href,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function pageOf(address: string): string {
  const escaped = address.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${escaped}">
<title>MCI console</title>
<p><a href="${escaped}">Open the console</a>
`;
}
