import { isObject } from "@mci-ts/primitives/is-object";
import { z } from "zod";
import type { Model, ModelReply, ModelRequest } from "../model.ts";
import { checkArgument } from "../problems.ts";
import { DEFAULT_STRATEGY, STRATEGIES } from "../strategies/strategies.ts";
import { placeholder } from "./placeholder.ts";
import { drawAnswer, readRequest, SIMULATED_MODEL, SIMULATED_NOTE, type SimulatedReply } from "./request.ts";

/**
 * A model that needs no provider, for trying the council out: the same request and seed give the same answer. It knows
 * nothing, and every text it writes says that it is simulated.
 */
export function simulatedModel(options: { seed?: number } = {}): Model {
  checkArgument("options", options, simulatedOptions);
  const { seed = 1 } = options;
  return {
    async complete(request, signal) {
      signal.throwIfAborted();
      const { schema, purpose } = request;
      // A bare call, which asks for no object.
      if (schema === undefined && purpose === "baseline") {
        const { answer } = drawAnswer(readRequest(request, seed));
        return reply(request, `${SIMULATED_NOTE}\nAnswer: ${answer}`);
      }
      const simulate = REPLIES.get(purpose);
      if (!simulate) throw new Error(`No strategy says what the simulated model replies to "${purpose}".`);
      return reply(request, simulate(readRequest(request, seed)));
    },
  };
}

const simulatedOptions = z.strictObject({ seed: z.number().optional() });

/** What any strategy may ask besides; a strategy's own purposes are in its value. */
const SHARED: Readonly<Record<string, SimulatedReply>> = {
  equivalence: () => ({ rationale: SIMULATED_NOTE, same: false }),
  paraphrase: ({ prompt }) => ({ question: prompt }),
  route: () => ({ rationale: SIMULATED_NOTE, tool: DEFAULT_STRATEGY.tool }),
  format: ({ schema }) =>
    isObject(schema?.["properties"]) ? (placeholder(schema) as object) : { note: SIMULATED_NOTE },
};

const REPLIES = new Map(
  [SHARED, ...STRATEGIES.map(({ simulated }) => simulated)].flatMap((replies) =>
    Object.entries<SimulatedReply>(replies),
  ),
);

function reply({ messages }: ModelRequest, content: object | string): ModelReply {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  const tokens = (chars: number) => Math.ceil(chars / 4);
  const inputTokens = tokens(messages.reduce((sum, { content }) => sum + content.length, 0));
  return {
    text,
    ...(typeof content === "string" ? {} : { object: content }),
    finishReason: "stop",
    usage: { inputTokens, outputTokens: tokens(text.length), costUsd: 0 },
    latencyMs: 0,
    model: SIMULATED_MODEL,
  };
}
