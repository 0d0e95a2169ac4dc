import * as z from "zod/mini";
import { about } from "./fields.ts";

const jsonContent = z
  .union([z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())], {
    error: "an object, an array, or a string such as {!!props.data!!}",
  })
  .register(about, { description: "Sent as JSON; a whole body may be {!!props.data!!}." });

const formContent = z
  .union([z.string(), z.record(z.string(), z.unknown())], {
    error: "an object of form fields, or a string such as {!!props.fields!!}",
  })
  .register(about, { description: "Form fields; arrays repeat the name." });

const rawContent = z.string().register(about, { description: "Sent as it is." });

const typed = z.discriminatedUnion("type", [
  z.object({ type: z.literal("json"), content: jsonContent }),
  z.object({ type: z.literal("form"), content: formContent }),
  z.object({ type: z.literal("raw"), content: rawContent }),
]);

/** The short forms have no type that could contradict them, and no second content. */
const absent = z.optional(z.never());

/** `{type, content}`, or the short form `{json|form|raw: content}`; exactly one of them. */
export const body = z
  .pipe(
    z.union([
      typed,
      z.object({ type: absent, json: jsonContent, form: absent, raw: absent }),
      z.object({ type: absent, form: formContent, json: absent, raw: absent }),
      z.object({ type: absent, raw: rawContent, json: absent, form: absent }),
    ]),
    z.transform((body): Body => {
      if (body.type !== undefined) return body;
      if (body.json !== undefined) return { type: "json", content: body.json };
      if (body.form !== undefined) return { type: "form", content: body.form };
      return { type: "raw", content: body.raw };
    }),
  )
  .register(about, {
    id: "body",
    description: "Request body: {type: json|form|raw, content}, or in short {json|form|raw: content}.",
    examples: [{ type: "json", content: { location: "{{props.location}}" } }, { raw: "{{props.text}}" }],
  });

export type Body = { type: "json" | "form" | "raw"; content: unknown };

/** The branch of `body` that a value belongs to, so that messages are about that branch only. */
export function bodyBranch(value: object): number {
  if ("type" in value) return 0;
  const short = ["json", "form", "raw"].findIndex((kind) => kind in value);
  return short + 1;
}
