import { expect, test } from "vitest";
import { z } from "zod";
import { problemsOf } from "./problems.ts";
import { councilRequestSchema } from "./request.ts";
import { INTENTS } from "./strategies/strategies.ts";

const messages = (value: unknown, schema: z.ZodType = councilRequestSchema, root?: string) => {
  const { error } = schema.safeParse(value);
  return error ? problemsOf(error, schema, value, root).map(({ message }) => message) : [];
};
const config = (fields: object) => ({ prompt: "x", config: fields });

test.each<[unknown, ...string[]]>([
  [{ prompt: "x" }],
  [[], "the request must be an object; it is an empty list"],
  [null, "the request must be an object; it is null"],
  [{}, "prompt must be text; it is missing"],
  [{ prompt: 7 }, "prompt must be text; it is 7"],
  [{ prompt: " " }, 'prompt must not be empty; it is " "'],
  [
    { prompt: "x", intent: "guess" },
    `intent must be one of ${new Intl.ListFormat("en-GB", { type: "disjunction" }).format(INTENTS.map((name) => `"${name}"`))}; it is "guess"`,
  ],
  [config({ num_voters: 26 }), "config.num_voters must be a whole number from 1 to 25; it is 26"],
  [config({ num_voters: "3" }), 'config.num_voters must be a whole number from 1 to 25; it is "3"'],
  [config({ k: 2.5 }), 'config.k must be a whole number from 1 to 25, or "auto"; it is 2.5'],
  [config({ target: 1 }), "config.target must be a number above 0.5 and below 1; it is 1"],
  [config({ max_usd: 0 }), "config.max_usd must be a number above 0; it is 0"],
  [config({ max_calls: -1 }), "config.max_calls must be a whole number of at least 1; it is -1"],
  [config({ model: () => "m" }), "config.model must be text of 1 to 200 characters; it is a function"],
  [config({ model: [] }), "config.model must be text of 1 to 200 characters; it is an empty list"],
  [config({ hedge: "yes" }), 'config.hedge must be true or false; it is "yes"'],
  [
    config({ model: "m".repeat(300) }),
    `config.model must be text of 1 to 200 characters; it is "${"m".repeat(40)}…"`,
  ],
  [
    config({ escalate: ["paraphrase", "council", "council", "council"] }),
    "config.escalate must be a list of at most 3 items; it is a list of 4",
  ],
  [
    config({ escalate: ["guess"] }),
    'config.escalate[0] must be one of "paraphrase", "second_model" or "council"; it is "guess"',
  ],
  [{ prompt: "x", context: "code" }, 'context must be an object; it is "code"'],
  [{ prompt: "x", context: { history: {} } }, "context.history must be a list; it is an object"],
  [
    { prompt: "x", promt: "y", intents: [] },
    "promt is not a field (did you mean prompt?); the request takes prompt, context, intent and config",
    "intents is not a field (did you mean intent?); the request takes prompt, context, intent and config",
  ],
])("[Q-words] %j is reported as: %s", (value, ...expected) => {
  expect(messages(value)).toEqual(expected);
});

test("[Q-words] a misspelt limit is reported with the fields there are", () => {
  const [message] = messages(config({ max_call: 3 }));
  expect(message).toMatch(
    /^config\.max_call is not a field \(did you mean max_calls\?\); config takes num_voters, k, .*, max_calls, .* and deadline_ms$/,
  );
});

test("[Q-words] unions, lists and roots are described too", () => {
  const schema = z.object({
    n: z.literal(1).nullish(),
    content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]).nullish(),
    list: z.array(z.object({ role: z.enum(["a", "b"]) })).min(1),
  });
  expect(messages({ n: 2, content: 5, list: [] }, schema)).toEqual([
    "n must be 1 or null; it is 2",
    "content must be text, a list or null; it is 5",
    "list must be a list of at least 1 item; it is an empty list",
  ]);
  expect(messages({ list: [{ role: "c" }] }, schema, "query")).toEqual([
    'query.list[0].role must be one of "a" or "b"; it is "c"',
  ]);
});

test("[Q-words] fields of a record are described by their kind", () => {
  const schema = z.object({ rates: z.partialRecord(z.enum(["slow", "wrong"]), z.number().min(0).max(1)) });
  expect(messages({ rates: { slow: 7 } }, schema)).toEqual([
    "rates.slow must be a number from 0 to 1; it is 7",
  ]);
  expect(messages({ rates: { fast: 1 } }, schema)).toEqual([
    "rates.fast is not a field; rates takes slow and wrong",
  ]);
});

test("[Q-words] schemas that have a name are easy to find", () => {
  const named = z.object({ k: z.int().min(1).max(9).meta({ id: "Named" }) }).meta({ id: "Whole" });
  expect(messages({ k: 0 }, named)).toEqual(["k must be a whole number from 1 to 9; it is 0"]);
});

test("[Q-words] a value with a million problems reports a hundred of them", () => {
  const schema = z.strictObject({ list: z.array(z.int()).optional() });
  expect(messages({ list: Array(5000).fill("x") }, schema)).toHaveLength(100);
  expect(
    messages(Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`f${i}`, 1])), schema),
  ).toHaveLength(100);
});
