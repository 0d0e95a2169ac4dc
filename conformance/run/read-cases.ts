import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { CaseFile } from "./case.ts";

export interface NamedCaseFile extends CaseFile {
  /** Relative to `cases`, with forward slashes. */
  readonly file: string;
}

const folder = fileURLToPath(new URL("../cases/", import.meta.url));

/** Every file of cases, in the order of their names. */
export function readCases(): NamedCaseFile[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".json"))
    .sort()
    .map((file) => ({ file, ...JSON.parse(readFileSync(folder + file, "utf8")) }));
}
