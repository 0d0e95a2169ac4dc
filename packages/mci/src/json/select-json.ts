import { ToolError } from "../errors.ts";

/** About a tenth of a second: nothing else runs meanwhile. 10 MiB of items of 1 KiB with four fields each take a tenth of it. */
const LIMITS = { maxSteps: 2_000_000, maxBytes: 64 * 1024 * 1024 };

/** Applies a JMESPath expression of the file to data of a server, within limits on time and memory. `what` begins the error. */
export async function selectJson(value: unknown, expression: string, what: string): Promise<unknown> {
  const { compileExpression } = await import("./jmespath/compile.ts");
  try {
    return compileExpression(expression)(value, LIMITS);
  } catch (cause) {
    throw new ToolError("invalid_config", `${what}: ${(cause as Error).message}`, { cause });
  }
}
