import type { z } from "zod";
import { HttpError } from "./errors.ts";

/** Checks a value against its schema; every problem is reported with its path. */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown, root = ""): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues.flatMap((issue) => {
    const path = pathText(issue.path, root);
    // An unknown key is best shown as the place it stands at.
    return issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => ({ path: pathText([...issue.path, key], root), message: "Unknown field" }))
      : [{ path, message: issue.message }];
  });
  const [first] = details;
  const more = details.length > 1 ? ` (and ${details.length - 1} more)` : "";
  throw new HttpError("invalid_request", `${first?.path || "body"}: ${first?.message}${more}`, { details });
}

/** `["config", "k"]` is `config.k`; `["messages", 0]` is `messages[0]`. */
function pathText(path: readonly PropertyKey[], root: string): string {
  return path.reduce<string>(
    (text, key) =>
      typeof key === "number" ? `${text}[${key}]` : text === "" ? String(key) : `${text}.${String(key)}`,
    root,
  );
}
