/** Text that was typed and not saved, and the version of the file that it is based on. */
export interface Draft {
  readonly text: string;
  readonly version: string;
}

const KEY = "draft ";
/** Drafts that do not fit into the browser's storage. */
const inMemory = new Map<string, Draft>();

/** The edits of a file that was left without saving; they survive other screens and a reload of the page. */
export function readDraft(path: string): Draft | undefined {
  const stored = sessionStorage.getItem(KEY + path);
  return stored === null ? inMemory.get(path) : (JSON.parse(stored) as Draft);
}

export function writeDraft(path: string, draft: Draft | undefined): void {
  inMemory.delete(path);
  try {
    if (draft === undefined) sessionStorage.removeItem(KEY + path);
    else sessionStorage.setItem(KEY + path, JSON.stringify(draft));
  } catch {
    if (draft !== undefined) inMemory.set(path, draft);
  }
}
