import type { Tool } from "../../schema/tool.ts";
import type { Diagnostic } from "../diagnostics.ts";

/** Malformed JMESPath expressions. The parser is loaded only where a file has one. */
export async function checkExpressions(tools: readonly Tool[] = []): Promise<Diagnostic[]> {
  if (!tools.some(({ result }) => result?.select !== undefined)) return [];
  const { default: jmespath } = await import("jmespath");
  return tools.flatMap(({ result }, index): Diagnostic[] => {
    try {
      if (result?.select !== undefined) jmespath.compile(result.select);
      return [];
    } catch (error) {
      const message = `result.select is no JMESPath expression: ${(error as Error).message}`;
      return [{ place: ["tools", index, "result", "select"], severity: "error", message }];
    }
  });
}
