import { describe, expect, test } from "vitest";
import { ask } from "./ask.ts";
import { inOrder, type Scripted } from "./scripted-model.ts";

const answer_schema = {
  type: "object",
  properties: {
    city: { type: "string" },
    year: { type: "integer" },
    why: { type: "string", "x-vote": false },
  },
  required: ["city", "year"],
  additionalProperties: false,
};
const prompt = "Which city hosted the first modern Olympic games, and when?";
const vote = (answer: object): Scripted => ({ object: { rationale: "I know.", answer } });
const athens = (why: string) => vote({ city: "Athens", year: 1896, why });

describe("[A-schema] a vote on objects", () => {
  test("counts objects by what is voted on, and hands out the most frequent of the winner's", async () => {
    const { result, model } = ask(
      { prompt, intent: "validation", config: { k: 3, answer_schema } },
      {
        vote: inOrder(
          athens("a"),
          vote({ year: 1900, city: "Paris" }),
          vote({ why: "b", year: 1896, city: "athens" }),
          athens("c"),
          athens("c"),
        ),
      },
    );
    const { metadata, result: report } = await result;
    expect(metadata.answer).toEqual({ city: "Athens", year: 1896, why: "c" });
    expect(metadata.voting).toMatchObject({
      votes: { '{"city":"Athens","year":1896}': 4, '{"city":"Paris","year":1900}': 1 },
      converged: true,
    });
    expect(report).toContain('## Winning Answer\n\n{"city":"Athens","year":1896}');
    const { jsonSchema } = model.requests[0]!.schema!;
    expect(jsonSchema).toMatchObject({ properties: { answer: { properties: { why: { type: "string" } } } } });
    expect(JSON.stringify(jsonSchema)).not.toContain("x-vote");
    expect(model.of("equivalence")).toEqual([]);
  });

  test("what does not fit the schema is a red flag and never repaired", async () => {
    const { result } = ask(
      { prompt, intent: "validation", config: { k: 1, answer_schema } },
      { vote: inOrder(vote({ city: "Athens", year: "1896" }), vote({ city: "Athens" }), athens("x")) },
    );
    const { metadata } = await result;
    expect(metadata.voting).toMatchObject({ red_flagged: 2, samples: 3 });
    expect(metadata.answer).toMatchObject({ year: 1896 });
  });

  test("a number in a field named answer stays a number", async () => {
    const schema = { type: "object", properties: { answer: { type: "integer" } }, required: ["answer"] };
    const { result } = ask(
      { prompt: "What is 6 times 7?", config: { k: 1, answer_schema: schema } },
      { vote: inOrder(vote({ answer: 42 })) },
    );
    expect((await result).metadata.answer).toEqual({ answer: 42 });
  });

  test("without a winner there is no answer", async () => {
    const { result } = ask(
      { prompt, intent: "validation", config: { k: 3, answer_schema } },
      { vote: (_, nth) => vote({ city: `City ${nth}`, year: nth }) },
    );
    expect((await result).metadata).toMatchObject({ answer: null, status: "degraded" });
  });

  test("an object whose only text is a refusal is one", async () => {
    const schema = { type: "object", properties: { text: { type: "string" } } };
    const { result } = ask(
      { prompt, intent: "validation", config: { k: 1, answer_schema: schema } },
      { vote: inOrder(vote({ text: "I'm sorry, but I can't help with that." }), vote({ text: "Athens" })) },
    );
    expect((await result).metadata).toMatchObject({ answer: { text: "Athens" }, voting: { red_flagged: 1 } });
  });
});

describe("[A-schema] a council on objects", () => {
  test("seats and judge answer with objects; agreement is counted on them", async () => {
    const seat = (answer: object): Scripted => ({ object: { proposal: "Because.", answer } });
    const { result, model } = ask(
      { prompt, intent: "decision", config: { answer_schema } },
      {
        seat: inOrder(
          seat({ city: "Athens", year: 1896, why: "a" }),
          seat({ city: "Athens", year: 1896, why: "b" }),
          seat({ city: "Paris", year: 1900 }),
        ),
        judge: inOrder({ object: { decision: "Athens.", answer: { city: "Athens", year: 1896 } } }),
      },
    );
    const { metadata } = await result;
    expect(metadata.answer).toEqual({ city: "Athens", year: 1896 });
    expect(metadata.council?.proposals[2]?.answer).toEqual({ city: "Paris", year: 1900 });
    expect(metadata.voting?.clusters[0]).toMatchObject({ answer: '{"city":"Athens","year":1896}', votes: 2 });
    expect(model.of("judge")[0]!.schema!.jsonSchema).toMatchObject({
      properties: { answer: { required: ["city", "year"] } },
    });
  });
});

describe("[A-decompose] a decomposition has a form of its own", () => {
  test("a prompt that asks for a plan goes to the council instead", async () => {
    const { result } = ask(
      { prompt: "Break down the task: build a web shop", config: { answer_schema, num_voters: 1 } },
      {
        seat: inOrder({ object: { proposal: "P", answer: { city: "x", year: 1 } } }),
        judge: inOrder({ object: { decision: "D", answer: { city: "x", year: 1 } } }),
      },
    );
    expect((await result).metadata.routing).toMatchObject({ tool: "consult_council", rule: "answer_schema" });
  });
  test("asked for by intent it is refused before any call", async () => {
    const { result, model } = ask({ prompt, intent: "decomposition", config: { answer_schema } }, {});
    await expect(result).rejects.toMatchObject({
      code: "invalid_request",
      problems: [{ path: "config.answer_schema" }],
    });
    expect(model.requests).toEqual([]);
  });
});

test("[A-bounded] a schema that cannot be used is refused before any call, with the reason", async () => {
  const { result, model } = ask({ prompt, config: { answer_schema: { type: "string" } } }, {});
  await expect(result).rejects.toMatchObject({
    code: "invalid_request",
    problems: [
      {
        path: "config.answer_schema",
        message: expect.stringContaining('needs "type": "object" at its root'),
      },
    ],
  });
  expect(model.requests).toEqual([]);
});
