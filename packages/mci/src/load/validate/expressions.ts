import type { Tool } from "../../schema/tool.ts";
import type { Diagnostic } from "../diagnostics.ts";

/** Malformed JMESPath expressions. The parser is loaded only where a file has one. */
export async function checkExpressions(tools: readonly Tool[] = []): Promise<Diagnostic[]> {
  const all = tools.flatMap((tool, index) =>
    expressionsOf(tool).map(({ path, text }) => ({ place: ["tools", index, ...path], text })),
  );
  if (all.length === 0) return [];
  const { default: jmespath } = await import("jmespath");
  return all.flatMap(({ place, text }): Diagnostic[] => {
    try {
      jmespath.compile(text);
      return [];
    } catch (error) {
      const message = `This is no JMESPath expression: ${(error as Error).message}`;
      return [{ place, severity: "error", message }];
    }
  });
}

function expressionsOf({ result, execution }: Tool): { readonly path: string[]; readonly text: string }[] {
  const { next, items } = (execution.type === "http" && execution.pagination) || {};
  const at = ["execution", "pagination"];
  return [
    ...(result?.select === undefined ? [] : [{ path: ["result", "select"], text: result.select }]),
    ...(typeof next === "object" ? [{ path: [...at, "next", "select"], text: next.select }] : []),
    ...(items === undefined ? [] : [{ path: [...at, "items"], text: items }]),
  ];
}
