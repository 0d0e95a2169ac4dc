import { resolve } from "node:path";
import { ToolError } from "../errors.ts";
import { type Entry, renderSetting } from "./context.ts";

/** Where toolsets and kept lists of tools are. Undefined if that cannot be known; the findings then say why. */
export function findLibrary(entry: Entry): string | undefined {
  const { document, baseDir, compile, options, findings } = entry;
  const { libraryDir = "./mci" } = document;
  const place = ["libraryDir"];
  if (options.validating && !compile.text(libraryDir, place).isConstant) {
    const message = "The toolsets were not checked, because libraryDir depends on env";
    if ((document.toolsets ?? []).length > 0) findings.push({ place, message, severity: "warning" });
    return undefined;
  }
  try {
    return resolve(baseDir, renderSetting(entry, libraryDir, place));
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    // A malformed template is among the findings already.
    if (error.code !== "template_syntax") findings.push({ place, message: error.message, severity: "error" });
    return undefined;
  }
}
