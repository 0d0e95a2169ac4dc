import { readStored, writeStored } from "../../parts/stored.ts";

/** Text that was typed and not saved, and the version of the file that it is based on. */
export interface Draft {
  readonly text: string;
  readonly version: string;
}

const KEY = "draft ";

/** The edits of a file that was left without saving; they survive other screens and a reload of the page. */
export function readDraft(path: string): Draft | undefined {
  return readStored(KEY + path);
}

export function writeDraft(path: string, draft: Draft | undefined): void {
  writeStored(KEY + path, draft);
}
