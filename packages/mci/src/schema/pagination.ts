import * as z from "zod/mini";
import { about, type DeepReadonly, label, lazily, limit, optional, optionalLabel } from "./fields.ts";

export const DEFAULT_MAX_PAGES = 10;
export const DEFAULT_MAX_ITEMS = 1000;

const next = () =>
  z
    .union(
      [
        z.literal("link"),
        z.object({
          select: label("JMESPath expression: the address of the next page, or its cursor, in a page."),
          param: optionalLabel("Query parameter that the cursor goes to. Default: it is an address."),
        }),
      ],
      { error: '"link", or an object {select, param}' },
    )
    .register(about, { description: "How the next page is found: the Link header, or an expression." });

/** How further pages of a list are asked for. */
export const pagination = lazily(() =>
  z
    .object({
      next: next(),
      items: optionalLabel("JMESPath expression: the list in a page. Default: the page is the list."),
      maxPages: optional(limit(`Pages to ask for. Default ${DEFAULT_MAX_PAGES}.`)),
      maxItems: optional(limit(`Items to return. Default ${DEFAULT_MAX_ITEMS}.`)),
    })
    .register(about, {
      id: "pagination",
      description: "Follows the pages of a list, on the same origin, and joins them.",
      examples: [{ next: "link" }, { next: { select: "cursor", param: "after" }, items: "data" }],
    }),
);

export type Pagination = DeepReadonly<z.output<typeof pagination>>;
