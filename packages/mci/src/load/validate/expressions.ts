import type { Document } from "../../schema/document.ts";
import type { Overrides } from "../../schema/overrides.ts";
import type { Pagination } from "../../schema/pagination.ts";
import type { ResultSettings } from "../../schema/result.ts";
import type { Diagnostic } from "../diagnostics.ts";

/** Malformed JMESPath expressions. The parser is loaded only where a file has one. */
export async function checkExpressions(document: Expressions): Promise<Diagnostic[]> {
  const all = expressionsOf(document);
  if (all.length === 0) return [];
  const { compileExpression } = await import("../../json/jmespath/compile.ts");
  return all.flatMap(({ place, text }): Diagnostic[] => {
    try {
      compileExpression(text);
      return [];
    } catch (error) {
      const message = `This is not a JMESPath expression: ${(error as Error).message}`;
      return [{ place, severity: "error", message }];
    }
  });
}

type Expressions = Pick<Partial<Document>, "tools" | "toolsets" | "mcp_servers">;

interface Expression {
  readonly place: (string | number)[];
  readonly text: string;
}

function expressionsOf({ tools = [], toolsets = [], mcp_servers: servers = {} }: Expressions): Expression[] {
  return [
    ...tools.flatMap(({ result, execution }, index) => {
      const pagination = execution.type === "http" ? execution.pagination : undefined;
      if (result === undefined && pagination === undefined) return [];
      return [
        ...inResult(result, ["tools", index, "result"]),
        ...inPagination(pagination, ["tools", index, "execution", "pagination"]),
      ];
    }),
    ...toolsets.flatMap(({ overrides }, index) => inOverrides(overrides, ["toolsets", index])),
    ...Object.entries(servers).flatMap(([name, { overrides }]) =>
      inOverrides(overrides, ["mcp_servers", name]),
    ),
  ];
}

function inOverrides(overrides: Overrides = {}, place: (string | number)[]): Expression[] {
  return Object.entries(overrides).flatMap(([name, { result, pagination }]) => [
    ...inResult(result, [...place, "overrides", name, "result"]),
    ...inPagination(pagination, [...place, "overrides", name, "pagination"]),
  ]);
}

function inResult(result: ResultSettings | undefined, place: (string | number)[]): Expression[] {
  return result?.select === undefined ? [] : [{ place: [...place, "select"], text: result.select }];
}

function inPagination(pagination: Pagination | undefined, place: (string | number)[]): Expression[] {
  const { next, items } = pagination ?? {};
  return [
    ...(typeof next === "object" ? [{ place: [...place, "next", "select"], text: next.select }] : []),
    ...(items === undefined ? [] : [{ place: [...place, "items"], text: items }]),
  ];
}
