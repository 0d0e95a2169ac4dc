import { ToolError } from "../errors.ts";

/**
 * Applies a JMESPath expression of the file to data of a server. `what` begins the error. The time is bounded by the size
 * of the data, which has a limit: an expression sees each value a fixed number of times.
 */
export async function selectJson(value: unknown, expression: string, what: string): Promise<unknown> {
  const { default: jmespath } = await import("jmespath");
  try {
    return jmespath.search(value, expression);
  } catch (cause) {
    // The engine passes the items of a list as arguments, and calls itself for each level.
    const reason =
      cause instanceof RangeError
        ? "a list has too many items for it, or the data is nested too deeply"
        : (cause as Error).message;
    throw new ToolError("invalid_config", `${what}: ${reason}`, { cause });
  }
}
