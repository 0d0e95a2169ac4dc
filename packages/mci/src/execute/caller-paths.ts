import nodePath from "node:path";
import type { Part } from "../template-api.ts";
import type { Call, PathRules } from "./executor.ts";

/** A path with the rules that hold for it: stricter ones where the caller has a hand in it. */
export interface RuledPath {
  readonly path: string;
  readonly rules: PathRules;
}

/**
 * A value from the caller must not leave the folder that stands before it: `data/{{props.x}}` stays in `data/`. It never
 * leads to a file of secrets or to an MCI file, even one in an allowed directory.
 */
export function ruledPath(parts: readonly Part[], { paths, protectedFiles }: RuledCall): RuledPath {
  const path = parts.map(({ text }) => text).join("");
  const value = parts.findIndex(({ origin, text }) => origin === "props" && text !== "");
  if (value < 0) return { path, rules: paths };
  const before = parts.slice(0, value).map(({ text }) => text);
  const folder = folderOf(before.join(""));
  const authorRules: PathRules = {
    baseDir: nodePath.resolve(paths.baseDir, folder),
    enableAnyPaths: false,
    directoryAllowList: [],
    within: paths.within,
  };
  const within = folder === "" ? paths.within : authorRules;
  return { path, rules: { ...paths, within, isProtected: (real) => isProtectedFile(real, protectedFiles) } };
}

export type RuledCall = Pick<Call, "paths" | "protectedFiles">;

/** The folder at the start of a text: everything up to its last slash. */
export function folderOf(text: string): string {
  return text.slice(0, Math.max(text.lastIndexOf("/"), text.lastIndexOf(nodePath.sep)) + 1);
}

/** `.env`, `.env.local`; `mci.json`, `weather.mci.yaml`, which also covers cached tool lists. */
const PROTECTED_NAME = /^(?:\.env.*|(?:.*\.)?mci\.(?:json|ya?ml))$/is;

/** Files with secrets or permissions: never read because a caller named them. */
export function isProtectedFile(real: string, files: ReadonlySet<string> | undefined): boolean {
  return PROTECTED_NAME.test(nodePath.basename(real)) || (files?.has(real) ?? false);
}
