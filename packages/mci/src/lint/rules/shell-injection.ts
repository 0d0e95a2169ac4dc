import { win32 } from "node:path";
import type { Diagnostic } from "../../load/diagnostics.ts";
import type { CliExecution } from "../../schema/execution.ts";
import { references } from "../../template/references.ts";
import type { JsonPath } from "../../template-api.ts";

/** Interpreters that accept code as an argument, and the options before it. */
const INTERPRETERS: readonly (readonly [program: RegExp, option: RegExp])[] = [
  [/^(a|ba|da|fi|k|z)?sh$/, /^-[a-z]*c$/],
  [/^(node|bun)$/, /^(-e|-p|-pe|--eval|--print)$/],
  [/^deno$/, /^eval$/],
  [/^python[\d.]*$/, /^-c$/],
  [/^(perl|ruby)$/, /^-[a-z]*e$/i],
  [/^php$/, /^-r$/],
  [/^cmd$/i, /^\/[ck]$/i],
  [/^(powershell|pwsh)$/i, /^-c(ommand)?$/i],
];

/**
 * Warns where a caller's value becomes part of the code of a shell or interpreter that the author starts.
 */
export function shellInjection(
  { command, args = [], flags = {} }: CliExecution,
  place: JsonPath,
  inputSchema?: unknown,
): Diagnostic[] {
  // The Windows rules accept both kinds of slashes.
  const program = win32.basename(command).replace(/\.(exe|cmd)$/i, "");
  const [, option] = INTERPRETERS.find(([name]) => name.test(program)) ?? [];
  if (option === undefined) return [];
  const codes = [
    ...args.flatMap((code, index) =>
      option.test(args[index - 1] ?? "") && readsProps(code, "text", inputSchema)
        ? [["args", index] as const]
        : [],
    ),
    ...Object.entries(flags).flatMap(([name, { from }]) =>
      option.test(name) && readsProps(from, "path", inputSchema) ? [["flags", name] as const] : [],
    ),
  ];
  return codes.map((at) => ({
    place: [...place, ...at],
    severity: "warning",
    message: `A value from the caller becomes part of the code that ${program} runs`,
    hint: "pass it as a separate argument after the code",
  }));
}

/** Whether a value of the caller's is part of a setting. */
export function readsProps(source: string, mode: "text" | "path", inputSchema: unknown): boolean {
  return references(source, mode, [], inputSchema).references.some(({ root }) => root !== "env");
}
