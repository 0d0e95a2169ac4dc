import { z } from "zod";

/** As the library's own; the published types of the service do not name it. */
export interface ToolFilter {
  readonly only?: readonly string[];
  readonly without?: readonly string[];
  readonly tags?: readonly string[];
  readonly withoutTags?: readonly string[];
  readonly toolsets?: readonly string[];
}

/** What a filter may be called, and what the library calls it. */
const TYPES: Readonly<Record<string, keyof ToolFilter>> = {
  only: "only",
  except: "without",
  tags: "tags",
  withoutTags: "withoutTags",
  "without-tags": "withoutTags",
  toolsets: "toolsets",
};

/** `only:a,b tags:c`: a tool must pass every type. Names alone are those to offer. */
export const toolFilter = z.string().transform((text, context): ToolFilter => {
  const filter: Partial<Record<keyof ToolFilter, string[]>> = {};
  const joined = text
    .split(",")
    .map((piece) => piece.trim())
    .join(",");
  for (const part of joined.split(/[\s;]+/)) {
    if (part === "") continue;
    const [type, list] = part.includes(":") ? (part.split(/:(.*)/s) as [string, string]) : ["only", part];
    const values = list.split(",").filter(Boolean);
    const key = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
    if (key === undefined || values.length === 0) {
      const message = `must be parts such as only:a,b or tags:c; "${part}" is none (types: only, except, tags, withoutTags, toolsets)`;
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    }
    filter[key] = [...(filter[key] ?? []), ...values];
  }
  return filter;
});
