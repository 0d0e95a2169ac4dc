import * as z from "zod/mini";
import { about, label, map, optional, optionalLabel } from "./fields.ts";

const verify = z
  .object({
    tool: label("A read-only tool that can tell whether the write took effect."),
    input: optional(
      map(
        label("Name of a property of this tool."),
        "Its input: for each of its properties a property of this tool.",
      ),
    ),
    done: label("JMESPath expression on its result: true if the write took effect, false if not."),
  })
  .register(about, { description: "How to learn, after a crash, whether a write took effect." });

/** How a write is kept from happening twice when a committed plan is resumed. */
export const idempotency = z
  .object({
    header: optionalLabel("HTTP header for a key that the service recognizes when a request comes again."),
    verify: optional(verify),
  })
  .register(about, {
    id: "idempotency",
    description: "How a write is kept from happening twice when a plan is resumed after a crash.",
    examples: [{ header: "Idempotency-Key" }],
  });
