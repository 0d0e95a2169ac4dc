import * as z from "zod/mini";
import {
  about,
  type DeepReadonly,
  label,
  lazily,
  map,
  optional,
  optionalFlag,
  optionalText,
  text,
} from "./fields.ts";
import { formEncoding } from "./style.ts";

const jsonContent = () =>
  z
    .union([z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())], {
      error: "an object, an array, or a string such as {!!props.data!!}",
    })
    .register(about, { description: "Sent as JSON; a whole body may be {!!props.data!!}." });

const fields = (what: string, description: string) =>
  z
    .union([z.string(), z.record(z.string(), z.unknown())], {
      error: `an object of ${what}, or a string such as {!!props.fields!!}`,
    })
    .register(about, { description });

const formContent = () => fields("form fields", "Form fields; arrays repeat the name.");

const rawContent = () => z.string().register(about, { description: "Sent as it is." });

const omitEmpty = () => optionalFlag("Send no body at all if nothing in it was given. Default false.");

const multipartContent = () =>
  fields("parts", "Parts by name: text, JSON for objects; arrays repeat the name.");

const filePart = () =>
  z.union(
    [
      label("Path of the file, a template."),
      z.object({
        path: label("Path of the file, a template; an array gives several parts."),
        filename: optionalText("File name sent to the server. Default: the file's own."),
        contentType: optionalText("Media type. Default: by the file's content and name."),
      }),
    ],
    { error: "the path of a file, or an object {path, filename, contentType}" },
  );

const typed = () =>
  z.discriminatedUnion("type", [
    z.object({ type: z.literal("json"), content: jsonContent(), omitEmpty: omitEmpty() }),
    z.object({
      type: z.literal("form"),
      content: formContent(),
      encoding: optional(formEncoding()),
      omitEmpty: omitEmpty(),
    }),
    z.object({ type: z.literal("raw"), content: rawContent() }),
    z.object({
      type: z.literal("multipart"),
      content: optional(multipartContent()),
      files: optional(map(filePart(), "Files by the name of their part, under the rules for paths.")),
      contentTypes: optional(map(text("A media type."), "Media types of parts, by name.")),
      omitEmpty: omitEmpty(),
    }),
    z.object({
      type: z.literal("file"),
      content: label("Path of the file whose bytes are sent, a template; under the rules for paths."),
    }),
  ]);

/** The short forms have no type that could contradict them, and no second content. */
const absent = z.optional(z.never());

/** `{type, content}`, or the short form `{json|form|raw: content}`; exactly one of them. */
export const body = lazily(() =>
  z
    .pipe(
      z.union([
        typed(),
        z.object({ type: absent, json: jsonContent(), form: absent, raw: absent }),
        z.object({ type: absent, form: formContent(), json: absent, raw: absent }),
        z.object({ type: absent, raw: rawContent(), json: absent, form: absent }),
      ]),
      z.transform((body): Body => {
        if (body.type !== undefined) return body as Body;
        if (body.json !== undefined) return { type: "json", content: body.json };
        if (body.form !== undefined) return { type: "form", content: body.form };
        return { type: "raw", content: body.raw };
      }),
    )
    .register(about, {
      id: "body",
      description:
        "Request body: {type: json|form|raw|multipart|file, content}, or in short {json|form|raw: content}.",
      examples: [{ type: "json", content: { location: "{{props.location}}" } }, { raw: "{{props.text}}" }],
    }),
);

export type Body = DeepReadonly<z.output<ReturnType<typeof typed>>>;
export type BodyOf<Type extends Body["type"]> = Extract<Body, { type: Type }>;

/** The branch of `body` that a value belongs to, so that messages are about that branch only. */
export function bodyBranch(value: object): number {
  if ("type" in value) return 0;
  const short = ["json", "form", "raw"].findIndex((kind) => kind in value);
  return short + 1;
}
