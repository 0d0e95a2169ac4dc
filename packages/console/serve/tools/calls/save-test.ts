import { isObject } from "@mci-ts/primitives/is-object";
import { ApiFailure } from "../failure.ts";
import { json } from "../json-response.ts";
import type { Endpoint } from "../source.ts";
import type { CallDetail, SavedTest } from "../types.ts";

/** Saves a call that is over as a test, in the file of tests beside the MCI file. */
export const saveTest: Endpoint = async (source, _, id) => {
  if (source.saveTest === undefined)
    throw new ApiFailure(403, "read_only", "This page may not write beside the file.");
  const call = source.calls.detail(Number(id));
  if (call === undefined)
    throw new ApiFailure(404, "call_not_found", `There is no call ${id}: only the last ones are remembered.`);
  if (call.is_private)
    throw new ApiFailure(409, "private_call", "The tool takes a password, so its calls are written nowhere.");
  return json(await source.saveTest(testOf(call)));
};

function testOf({ tool, input, result }: CallDetail): SavedTest {
  if (result === undefined || !isObject(input))
    throw new ApiFailure(
      409,
      "no_result",
      "The call has no result, or its input was too large to be remembered.",
    );
  const { isError, content, structuredContent } = result;
  return {
    tool,
    input,
    expect: { isError, ...(structuredContent === undefined ? { content } : { structuredContent }) },
  };
}
