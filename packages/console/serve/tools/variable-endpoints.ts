import { ApiFailure } from "./failure.ts";
import { json } from "./json-response.ts";
import type { Endpoint, ToolsSource } from "./source.ts";

export async function listVariables(source: ToolsSource): Promise<Response> {
  return json({ variables: await source.variables(), settable: source.setVariable !== undefined });
}

/** For this process only: no file is written, and no value is ever shown again. `value: null` takes it back. */
export const setVariable: Endpoint = async (source, { body }, name) => {
  if (source.setVariable === undefined)
    throw new ApiFailure(403, "read_only", "Variables cannot be set from this page.");
  const { value } = (body ?? {}) as { value?: unknown };
  if ((typeof value !== "string" && value !== null) || !/^[A-Za-z_]\w{0,200}$/.test(name))
    throw new ApiFailure(400, "invalid_request", "Send { value }: a text, or null to take it back.");
  await source.setVariable(name, value ?? undefined);
  return listVariables(source);
};
