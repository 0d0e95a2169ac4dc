import * as fc from "fast-check";
import type { Tool } from "../schema/tool.ts";
import { refusal } from "./call.ts";

const SECRET = "s3cr3t-of-the-application";
const tool: Tool = { name: "t", execution: { type: "text", text: "" } };
const FIXED = "The call was not approved, and the tool was not run: the approval failed";

/** What an application may throw: errors, texts, objects that answer when they are looked at. */
const thrown = fc.oneof(
  fc.string().map((text) => new Error(`${text}${SECRET}`, { cause: SECRET })),
  fc.string().map((text) => text + SECRET),
  fc.constantFrom<unknown>(undefined, null, 0, true, Symbol(SECRET), () => SECRET),
  fc.dictionary(fc.constantFrom("message", "name", "reason", "then", "__proto__"), fc.constant(SECRET)),
  fc.string().map((text) => ({
    get message() {
      throw new Error(text + SECRET);
    },
    toString: () => text + SECRET,
    [Symbol.toPrimitive]: () => SECRET,
  })),
);

function withThen(property: PropertyDescriptor): object {
  return Object.defineProperty({}, ["then"].join(), property);
}

export default [
  {
    name: "approvals: whatever `approve` throws, the model reads one fixed message",
    property: fc.asyncProperty(
      thrown,
      fc.boolean(),
      fc.object({ maxDepth: 1 }),
      async (error, isLate, input) => {
        const approve = isLate
          ? () => Promise.reject(error)
          : () => {
              throw error;
            };
        const result = await refusal(approve, tool, input as Record<string, unknown>);
        return result?.isError === true && result.text === FIXED && !JSON.stringify(result).includes(SECRET);
      },
    ),
  },
  {
    name: "approvals: however a decision fails, by `approve` or `onInput`, the model reads one fixed message",
    property: fc.asyncProperty(thrown, fc.nat(5), fc.boolean(), async (error, way, isInput) => {
      const fail = () => {
        throw error;
      };
      const ways: readonly (() => unknown)[] = [
        fail,
        () => Promise.reject(error),
        () => withThen({ value: (_: unknown, reject: (error: unknown) => void) => reject(error) }),
        () => withThen({ value: fail }),
        () => withThen({ get: fail }),
        // Only what is asked with a form is read.
        () => (isInput ? Object.defineProperty({}, "action", { get: fail }) : fail()),
      ];
      const decide = ways[way] as () => never;
      const result = isInput
        ? await refusal(undefined, { ...tool, approve: true }, {}, { onInput: decide })
        : await refusal(decide, tool, {});
      return result?.isError === true && result.text === FIXED;
    }),
  },
];
