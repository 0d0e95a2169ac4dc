import { toRawJson } from "@mci-ts/primitives/exact-json";
import type { FormRequest, InputResponse } from "./input.ts";

/** Characters of the arguments that are shown. */
const MAX_ARGUMENTS = 4000;

/** The question whether a tool may be called with these arguments. */
export function approvalRequest(tool: string, input: Readonly<Record<string, unknown>>): FormRequest {
  const text = JSON.stringify(toRawJson(input), null, 2);
  const end = text.length > MAX_ARGUMENTS ? `\n… and ${text.length - MAX_ARGUMENTS} characters more` : "";
  return {
    mode: "form",
    message: `Call '${tool}' with these arguments?\n${text.slice(0, MAX_ARGUMENTS)}${end}`,
    requestedSchema: {
      type: "object",
      properties: { approve: { type: "boolean", title: `Call ${tool}`, default: false } },
      required: ["approve"],
    },
  };
}

export function isApproval(response: InputResponse | undefined): boolean {
  return response?.action === "accept" && response.content?.["approve"] === true;
}
