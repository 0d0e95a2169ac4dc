import type { ExecutionResult } from "../result.ts";

/**
 * What a client knows about its tools at compile time: by name, the type of the input and of the structured content.
 * `mci types` writes such an interface from a file; without one every name and every object is allowed.
 */
export type UntypedTools = Readonly<Record<string, { readonly input: object; readonly output: unknown }>>;

export type ToolName<Tools> = Extract<keyof Tools, string>;

/** The properties of a tool; `object` where nothing is known. */
export type ToolInput<Tools, Name extends keyof Tools> = Tools[Name] extends { readonly input: infer Input }
  ? Input
  : object;

/** The result of a tool; its structured content is typed where the tool has an `outputSchema`. */
export type ToolResult<Tools, Name extends keyof Tools> = ExecutionResult<
  Tools[Name] extends { readonly output: infer Output } ? Output : unknown
>;

/** What follows the name in a call. Properties may be left out where none is required. */
export type ToolArguments<Tools, Name extends keyof Tools, Options> =
  Partial<Record<never, never>> extends ToolInput<Tools, Name>
    ? [properties?: ToolInput<Tools, Name>, options?: Options]
    : [properties: ToolInput<Tools, Name>, options?: Options];
