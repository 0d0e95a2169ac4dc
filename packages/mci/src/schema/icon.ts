import * as z from "zod/mini";
import { about, lazily, list, map, optional, optionalText, text } from "./fields.ts";

const icons = lazily(() =>
  list(
    z
      .object({
        src: text("Address of the image: https: or data:."),
        mimeType: optionalText("Its media type."),
        sizes: optional(list(z.string(), 'Sizes it is made for, such as "48x48".')),
        theme: optional(
          z.enum(["light", "dark"]).register(about, { description: "The theme it is made for." }),
        ),
      })
      .register(about, { id: "icon", description: "An image that clients may show." }),
    "Images that clients may show.",
  ),
);

/** What MCP clients show or read beside the name of a tool, a prompt or a resource. */
export const displayFields = () => ({
  icons: optional(icons),
  _meta: optional(map(z.unknown(), "For MCP clients, passed on as it is.")),
});
