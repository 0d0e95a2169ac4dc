import { tokenize } from "./tokens.ts";

/*
 * Parses outside of the page: there are texts of a few kilobytes that take a parser minutes, and only a worker can be ended
 * in the midst of its work.
 */
const scope = globalThis as unknown as {
  onmessage: (event: { readonly data: string }) => void;
  postMessage(message: unknown): void;
};

scope.onmessage = ({ data }) => {
  try {
    scope.postMessage({ tokens: tokenize(data) });
  } catch {
    scope.postMessage({ tokens: undefined });
  }
};
scope.postMessage("ready");
