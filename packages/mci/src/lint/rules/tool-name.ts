import type { Diagnostic } from "../../load/diagnostics.ts";
import type { JsonPath } from "../../template-api.ts";

/** Warns about a name that models or MCP clients reject. It is still usable: they are given one that fits. */
export function toolNameWarnings(name: string, place: JsonPath): Diagnostic[] {
  if (/^[a-zA-Z0-9_-]{1,64}$/.test(name)) return [];
  // MCP allows dots, and names of up to 128 characters: `mci run` serves them as they are.
  const isForMcp = /^[a-zA-Z0-9_.-]{1,128}$/.test(name);
  return [
    {
      place: [...place, "name"],
      severity: "warning",
      message: isForMcp
        ? "Models do not accept this tool name, and are given another one; MCP clients see it as it is"
        : "Models and MCP clients do not accept this tool name, and are given another one",
      hint: "use letters, digits, _ and -, at most 64 characters",
    },
  ];
}
