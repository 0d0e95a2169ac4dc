import { z } from "zod";
import { ServiceError } from "../service-error.ts";

/** Parameters of the protocol about sampling. The answer is cut by those that end it; the others must be neutral. */
export const SamplingParameters = {
  max_tokens: z
    .int()
    .min(1)
    .nullish()
    .describe(
      "The answer is cut after about this many tokens (4 characters each), with finish_reason length.",
    ),
  max_completion_tokens: z.int().min(1).nullish().describe("As max_tokens."),
  stop: z
    .union([z.string().min(1), z.array(z.string().min(1)).max(4)])
    .nullish()
    .describe("The answer ends before the first of these texts."),
  seed: z.unknown().optional().describe("Not supported: must be null or absent. Votes are drawn anew."),
  top_p: z.unknown().optional().describe("Not supported: must be 1, null or absent."),
  frequency_penalty: z.unknown().optional().describe("Not supported: must be 0, null or absent."),
  presence_penalty: z.unknown().optional().describe("Not supported: must be 0, null or absent."),
  logit_bias: z.unknown().optional().describe("Not supported: must be empty, null or absent."),
  logprobs: z
    .unknown()
    .optional()
    .describe("Not supported: must be false, null or absent. The council field has the votes."),
  top_logprobs: z.unknown().optional().describe("Not supported: must be 0, null or absent."),
};

export interface AnswerLimits {
  readonly max_tokens?: number | null;
  readonly max_completion_tokens?: number | null;
  readonly stop?: string | readonly string[] | null;
}

const CHARACTERS_PER_TOKEN = 4;

/** Values of unsupported parameters that change nothing: many clients send them. Undefined: there is none. */
const NEUTRAL: Readonly<Record<string, unknown>> = {
  seed: undefined,
  top_p: 1,
  frequency_penalty: 0,
  presence_penalty: 0,
  logit_bias: {},
  logprobs: false,
  top_logprobs: 0,
};

/** Throws for a parameter that asks for what the council cannot do. */
export function refuseUnsupported(request: Readonly<Record<string, unknown>>): void {
  for (const [name, neutral] of Object.entries(NEUTRAL)) {
    const value = request[name] ?? undefined;
    if (value === undefined || JSON.stringify(value) === JSON.stringify(neutral)) continue;
    const allowed =
      neutral === undefined ? "leave it out" : `leave it out, or send ${JSON.stringify(neutral)}`;
    const message = `${name} is not supported: the council samples its voters itself; ${allowed}`;
    throw new ServiceError("invalid_request", message, { details: [{ path: name, message }] });
  }
}

/** The answer as far as the request lets it go. */
export function limitAnswer(
  text: string,
  { max_tokens, max_completion_tokens, stop }: AnswerLimits,
): { readonly content: string; readonly finish_reason: "stop" | "length" } {
  const ends = [stop ?? []]
    .flat()
    .map((end) => text.indexOf(end))
    .filter((index) => index >= 0);
  const stopped = text.slice(0, Math.min(text.length, ...ends));
  const characters = [...stopped];
  const most = Math.min(max_tokens ?? Infinity, max_completion_tokens ?? Infinity) * CHARACTERS_PER_TOKEN;
  return characters.length > most
    ? { content: characters.slice(0, most).join(""), finish_reason: "length" }
    : { content: stopped, finish_reason: "stop" };
}
