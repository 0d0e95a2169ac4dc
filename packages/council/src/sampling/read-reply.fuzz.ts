import fc from "fast-check";
import { anyCharacter } from "../../../../test/any-character.ts";
import type { ModelReply } from "../model.ts";
import { voteSchema } from "../prompts/answer-schemas.ts";
import { readReply } from "./read-reply.ts";
import { checkReply } from "./red-flags.ts";

const reply = (text: string): ModelReply => ({
  text,
  finishReason: "stop",
  usage: { inputTokens: 0, outputTokens: 0 },
  latencyMs: 0,
});
const answer = fc.string({ unit: anyCharacter, minLength: 1, maxLength: 40 });
/** Words around an object: no brace that starts another one, no tag that would hide it. */
const prose = fc.string({ unit: fc.constantFrom(..."abc .,:!`\n*-"), maxLength: 60 });
const read = (text: string) => {
  const found = readReply(reply(text));
  return "value" in found ? (found.value as { answer?: unknown }).answer : undefined;
};

export default [
  {
    name: "whatever surrounds the one object, its answer is read as it was written",
    property: fc.property(
      answer,
      prose,
      prose,
      fc.string({ maxLength: 40 }),
      (text, before, after, thought) => {
        const object = JSON.stringify({ rationale: "", answer: text });
        const thinking = `<think>${thought.replaceAll("<", "")}</think>`;
        return [
          object,
          `${before}${object}${after}`,
          `${thinking}${object}`,
          `\`\`\`json\n${object}\n\`\`\``,
        ].every((written) => read(written) === text);
      },
    ),
  },
  {
    name: "two objects with different answers are never read",
    property: fc.property(answer, answer, prose, (a, b, between) => {
      const objects = `${JSON.stringify({ answer: a })}${between}${JSON.stringify({ answer: b })}`;
      return a === b || "error" in readReply(reply(objects));
    }),
  },
  {
    name: "a cut-off object is never read",
    property: fc.property(
      answer,
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (text, share) => {
        const object = JSON.stringify({ answer: text });
        return "error" in readReply(reply(object.slice(0, 1 + Math.floor(share * (object.length - 1)))));
      },
    ),
  },
  {
    name: "no reply makes the check throw, and what it accepts is an answer",
    property: fc.property(fc.oneof(fc.string({ unit: anyCharacter }), fc.json()), (text) => {
      const checked = checkReply(reply(text), voteSchema({ choices: [] }));
      return !checked.ok || String(checked.value.answer).trim() !== "";
    }),
  },
];
