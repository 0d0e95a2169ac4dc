import type { EnvUse, ToolLocation } from "mci-ts";

/** The tools at whose path, or below it, a variable is used. */
export function toolsUsing(uses: readonly EnvUse[], tools: readonly ToolLocation[]): string[] {
  const isBelow = (use: EnvUse, tool: ToolLocation) =>
    use.file === tool.file &&
    (use.path === tool.path ||
      (/^[.[]/.test(use.path?.slice(tool.path.length) ?? "") && use.path!.startsWith(tool.path)));
  return tools.filter((tool) => uses.some((use) => isBelow(use, tool))).map(({ name }) => name);
}
