import { MCIClientError } from "../src/errors.ts";
import { inputReader } from "../src/tools/input.ts";

/** What a call of a tool with this schema reads of its input. */
export async function read(inputSchema: Record<string, unknown> | undefined, given: unknown) {
  const reader = await inputReader({ name: "t", inputSchema });
  return reader(given);
}

/** The error of input that the schema refuses. */
export async function failure(inputSchema: Record<string, unknown>, given: unknown): Promise<MCIClientError> {
  try {
    await read(inputSchema, given);
  } catch (error) {
    if (error instanceof MCIClientError) return error;
    throw error;
  }
  throw new Error("the input was accepted");
}
