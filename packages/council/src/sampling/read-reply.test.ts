import { describe, expect, test } from "vitest";
import { cpuMs } from "../../../../test/cpu-time.ts";
import type { ModelReply } from "../model.ts";
import { seatSchema, verdictSchema, voteSchema } from "../prompts/answer-schemas.ts";
import { readReply } from "./read-reply.ts";
import { answerTokens, checkReply } from "./red-flags.ts";

const reply = (text: string, more: Partial<ModelReply> = {}): ModelReply => ({
  text,
  finishReason: "stop",
  usage: { inputTokens: 10, outputTokens: 10 },
  latencyMs: 1,
  ...more,
});
const PARIS = '{"rationale":"It is.","answer":"Paris"}';
const vote = voteSchema({ choices: [] });

describe("[V-dialect] the way a model or provider writes an answer is not damage", () => {
  test.each([
    ["as asked", PARIS],
    ["a think block before it", `<think>\nParis or Lyon? {"answer": "Lyon"}\n</think>\n${PARIS}`],
    ["a lone closing tag", `Let me see... Paris.\n</think>\n\n${PARIS}`],
    ["a thinking block", `<thinking>hm</thinking>${PARIS}`],
    ["an analysis channel", `<|channel|>analysis<|message|>hm {"a":1}<|end|>${PARIS}`],
    [
      "a harmony reply",
      `<|channel|>analysis<|message|>{"answer":"Lyon"}<|end|><|start|>assistant<|channel|>final<|message|>${PARIS}`,
    ],
    ["Magistral's reasoning", `[THINK]Lyon? {"answer":"Lyon"}[/THINK]${PARIS}`],
    ["Kimi's reasoning", `◁think▷Lyon? {"answer":"Lyon"}◁/think▷${PARIS}`],
    [
      "Command's reasoning",
      `<|START_THINKING|>{"answer":"Lyon"}<|END_THINKING|><|START_RESPONSE|>${PARIS}<|END_RESPONSE|>`,
    ],
    ["Gemma's reasoning", `<|channel>thought\n{"answer":"Lyon"}<channel|>${PARIS}`],
    ["Seed's reasoning", `<seed:think>{"answer":"Lyon"}</seed:think>${PARIS}`],
    ["reasoning as a prompt asked for it", `<analysis>{"answer":"Lyon"}</analysis>${PARIS}`],
    [
      "a block of it, and its name without an end later",
      `<reason>{"answer":"Lyon"}</reason>${PARIS} <reason>`,
    ],
    ["a blank in the tags", `<think >{"answer":"Lyon"}</think >${PARIS}`],
    ["OpenThinker's reasoning", `<|begin_of_thought|>{"answer":"Lyon"}<|end_of_thought|>${PARIS}`],
    ["a thought process", `<thought_process>{"answer":"Lyon"}</thought_process>${PARIS}`],
    ["thoughts", `<thoughts>{"answer":"Lyon"}</thoughts>${PARIS}`],
    ["a monologue", `<inner_monologue>{"answer":"Lyon"}</inner_monologue>${PARIS}`],
    ["thinking in camel case", `<antThinking>{"answer":"Lyon"}</antThinking>${PARIS}`],
    ["a mark of the end after it", `${PARIS}<|im_end|>`],
    ["arguments of a tool that nobody offered", `{"name":"vote","arguments":${PARIS}}`],
    ["arguments as text", JSON.stringify({ name: "vote", arguments: PARIS })],
    ["a tool call in tags", `<tool_call>\n{"name":"vote","arguments":${PARIS}}\n</tool_call>`],
    ["a call as OpenAI writes it", `{"type":"function","function":{"name":"vote","arguments":${PARIS}}}`],
    ["a call of Mistral", `[TOOL_CALLS][{"name":"vote","arguments":${PARIS}}]`],
    ["the last action of an agent", `{"action":"Final Answer","action_input":${PARIS}}`],
    ["the schema filled in", `{"type":"object","properties":${PARIS},"required":["answer"]}`],
    ["a JSON fence", `\`\`\`json\n${PARIS}\n\`\`\``],
    ["a bare fence", `\`\`\`\n${PARIS}\n\`\`\``],
    ["words before and after", `Sure! Here is the JSON:\n\n${PARIS}\n\nLet me know if you need more.`],
    ["words around a fence", `Here you go:\n\`\`\`json\n${PARIS}\n\`\`\`\nHope that helps!`],
    ["a brace in the words", `The set {a, b} is empty. ${PARIS} :-}`],
    [
      "comments",
      '{\n  // "answer": "Lyon"\n  "rationale": "It is.", /* } */\n  "answer": "Paris" // sure\n}',
    ],
    [
      "comments in a fence",
      '```jsonc\n{\n/* in short */\n"rationale":"It is.",\n"answer":"Paris" // }\n}\n```',
    ],
    ["the same object twice", `${PARIS}\n${PARIS}`],
    ["an extra key", '{"rationale":"It is.","answer":"Paris","confidence":0.9}'],
    ["white space around it", `\n\n  ${PARIS}  \n`],
  ])("%s", (_, text) => {
    expect(checkReply(reply(text), vote)).toEqual({
      ok: true,
      value: { rationale: "It is.", answer: "Paris" },
    });
  });

  test.each([
    ["a number", '{"rationale":"","answer":42}', "42"],
    ["digits that JavaScript would round", '{"answer":12345678901234567890}', "12345678901234567890"],
    ["a decimal as it was written", '{"answer":3.10}', "3.10"],
    ["a boolean", '{"answer":true}', "true"],
    ["a line break inside a text", '{"rationale":"So:\n\tit is.","answer":"a\nb"}', "a\nb"],
    ["what looks like a comment inside a text", '{"answer":"http://a.b/*c*/" // x\n}', "http://a.b/*c*/"],
    ["no rationale", '{"answer":"Paris"}', "Paris"],
    ["a rationale of null", '{"rationale":null,"answer":"Paris"}', "Paris"],
    ["what looks like reasoning inside the answer", '{"answer":"</think>"}', "</think>"],
    ["a fence inside the answer", '{"answer":"```js\\nx\\n```"}', "```js\nx\n```"],
  ])("%s", (_, text, answer) => {
    expect(checkReply(reply(text), vote)).toMatchObject({ ok: true, value: { answer } });
  });

  test.each([
    [" POSTGRES ", "Postgres"],
    ["mysql", "MySQL"],
    ["Other", "other"],
  ])("the option %j is %j", (given, option) => {
    const text = JSON.stringify({ answer: given, other: "SQLite", rationale: "" });
    expect(checkReply(reply(text), voteSchema({ choices: ["Postgres", "MySQL"] }))).toMatchObject({
      ok: true,
      value: { answer: option },
    });
  });

  test.each([
    ["C", "Canberra"],
    ["c", "Canberra"],
    ["(C)", "Canberra"],
    ["C) Canberra", "Canberra"],
    ["**C) Canberra**", "Canberra"],
    ["Option C", "Canberra"],
    ["\\boxed{C}", "Canberra"],
    ["Canberra.", "Canberra"],
    ["The answer is: **Canberra**.", "Canberra"],
  ])("%j is the lettered option %j", (given, option) => {
    const question = "Which city? A) Sydney B) Melbourne C) Canberra";
    const form = { choices: ["Sydney", "Melbourne", "Canberra"], question };
    const text = JSON.stringify({ rationale: "", answer: given, other: null });
    expect(checkReply(reply(text), voteSchema(form))).toMatchObject({ ok: true, value: { answer: option } });
  });

  test.each([
    ["Yes, it is.", "yes"],
    ["YES.", "yes"],
    [true, "yes"],
    ["False", "no"],
    ["Sí", "yes"],
  ])("%j is %j where these are the options", (given, option) => {
    const form = { choices: ["yes", "no"], question: "Is the Earth round? Yes or no?" };
    const text = JSON.stringify({ rationale: "", answer: given, other: null });
    expect(checkReply(reply(text), voteSchema(form))).toMatchObject({ ok: true, value: { answer: option } });
  });

  test.each(["<think>a</think>", "[THINK] and [/THINK]", "<analysis>x</analysis>"])(
    "%j is an answer where it stands in one, also inside a fence",
    (answer) => {
      for (const [open, close] of [
        ["", ""],
        ["```json\n", "\n```"],
        ["```\n", "```"],
      ])
        expect(checkReply(reply(`${open}${JSON.stringify({ answer })}${close}`), vote)).toMatchObject({
          value: { answer },
        });
    },
  );

  test("options that differ only in case must be given exactly", () => {
    const schema = voteSchema({ choices: ["a", "A"] });
    expect(checkReply(reply('{"answer":"A"}'), schema)).toMatchObject({ value: { answer: "A" } });
    expect(checkReply(reply('{"answer":" A"}'), schema)).toMatchObject({ ok: false });
  });

  test("lists that a judge leaves out are empty", () => {
    expect(
      checkReply(reply('{"decision":"Use it.","gaps":["cost"]}'), verdictSchema({ choices: [] })),
    ).toEqual({
      ok: true,
      value: {
        consensus: [],
        contradictions: [],
        gaps: ["cost"],
        dissent: [],
        decision: "Use it.",
        unresolved: false,
        answer: "",
      },
    });
  });

  test("reasoning in the text does not count towards the length of the answer", () => {
    const thought = `<think>${"hm ".repeat(4000)}</think>${PARIS}`;
    expect(answerTokens(reply(thought, { usage: { inputTokens: 1, outputTokens: 3000 } }))).toBeLessThan(20);
  });
});

describe("[V-damage] damage is a red flag", () => {
  test.each([
    ["prose", "The answer is Paris.", "no JSON object"],
    ["broken JSON", '{"answer": "Paris",}', "broken JSON"],
    ["cut-off JSON", '{"rationale": "It is the capi', "broken JSON"],
    ["a comment without an end", '{"answer": "Paris" /* }', "broken JSON"],
    ["a line break after a text without an end", '{"rationale":"It is,\n"answer":"Paris"}', "broken JSON"],
    ["single quotes", "{'answer': 'Paris'}", "no JSON object"],
    ["two different objects", `${PARIS}\n{"rationale":"","answer":"Lyon"}`, "two different"],
    ["an array", `[${PARIS},{"answer":"Lyon"}]`, "two different"],
    ["broken JSON before a good object", `{"answer": Paris}\n${PARIS}`, "broken JSON"],
    ["no answer", '{"rationale":"Paris"}', "answer"],
    ["an empty answer", '{"answer":" "}', "answer"],
    ["a null answer", '{"answer":null}', "answer"],
    ["an object as answer", '{"answer":{"city":"Paris"}}', "answer"],
  ])("%s", (_, text, reason) => {
    expect(checkReply(reply(text), vote)).toMatchObject({
      ok: false,
      rule: "schema_invalid",
      reason: expect.stringContaining(reason),
    });
  });

  test.each([
    "B or C",
    "not Canberra",
    "Neither",
    "D",
    "D) Canberra",
    "B) Canberra",
    "Canberra, but only since 1927",
    "3",
  ])("%j is none of the lettered options", (answer) => {
    const question = "Which city? A) Sydney B) Melbourne C) Canberra";
    const form = { choices: ["Sydney", "Melbourne", "Canberra"], question };
    expect(checkReply(reply(JSON.stringify({ answer })), voteSchema(form))).toMatchObject({
      ok: false,
      rule: "schema_invalid",
    });
  });

  test.each([
    ["two in one", `{"arguments":${PARIS},"result":{"answer":"Lyon"}}`],
    ["something said beside it", `{"rationale":"Lyon","arguments":${PARIS}}`],
    ["one in another", `{"result":{"response":${PARIS}}}`],
    ["text that is not an object", '{"name":"vote","arguments":"Paris"}'],
  ])("an envelope with %s is not opened", (_, text) => {
    expect(checkReply(reply(text), vote)).toMatchObject({ ok: false, rule: "schema_invalid" });
  });

  test("an answer outside the enumeration", () => {
    const outside = reply('{"answer":"c","proposal":"c","other":null}');
    const flag = { ok: false, rule: "schema_invalid" };
    expect(checkReply(outside, voteSchema({ choices: ["a", "b"] }))).toMatchObject(flag);
    expect(checkReply(outside, seatSchema({ choices: ["a", "b"] }))).toMatchObject(flag);
  });

  test.each(["Par\uFFFD", "Paris \ud83d", "Par\u0000is"])("text that lost a character: %j", (answer) => {
    expect(checkReply(reply(JSON.stringify({ answer })), vote)).toMatchObject({
      ok: false,
      rule: "schema_invalid",
      reason: expect.stringContaining("damaged"),
    });
    const echoes = { instructions: "", question: `Is ${answer} damaged?` };
    expect(checkReply(reply(JSON.stringify({ answer })), vote, { echoes })).toMatchObject({ ok: true });
  });

  test("only reasoning, which the server took out of the text and did not count", () => {
    const flag = { rule: "empty", reason: "only reasoning, no answer" };
    expect(checkReply(reply("", { reasoning: "Paris?" }), vote)).toMatchObject(flag);
    expect(checkReply(reply(""), vote)).toMatchObject({ ...flag, reason: "the reply is empty" });
  });

  test("only reasoning, whether or not it ends", () => {
    for (const text of ["<think>Paris?</think>", "<think>Paris? Or", "hm</think>"])
      expect(checkReply(reply(text), vote)).toMatchObject({
        rule: "empty",
        reason: "only reasoning, no answer",
      });
  });
});

test("a reply that is nested too deeply is not an answer", () => {
  const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
  for (const text of [`{"answer":${deep}}`, `Well: {"answer":${deep}}.`])
    for (const plainNumbers of [true, false])
      expect(readReply(reply(text), { plainNumbers })).toHaveProperty("error");
  expect(readReply({ ...reply(""), object: JSON.parse(`{"answer":${deep}}`) })).toHaveProperty("error");
});

test("hostile replies are read in linear time", () => {
  for (const part of [
    "{",
    '{"',
    '{"a":',
    "{//",
    "{/*",
    "{//\n",
    '{/**/"',
    "{\n",
    "<think>",
    "</think>",
    '{"a":1}',
    '"{',
    "}",
    "```\n",
  ]) {
    const text = part.repeat(1_000_000 / part.length);
    const started = cpuMs();
    readReply(reply(text));
    expect(cpuMs() - started, part).toBeLessThan(1000);
  }
});
