/** The ask form's fields, as typed. */
export interface Question {
  readonly prompt: string;
  readonly intent: string;
  readonly k: string;
  readonly voters: string;
  readonly models: string;
  readonly maxCalls: string;
  readonly maxUsd: string;
  readonly context: string;
}

export const EMPTY_QUESTION: Question = {
  prompt: "",
  intent: "",
  k: "",
  voters: "",
  models: "",
  maxCalls: "",
  maxUsd: "",
  context: "",
};

/** The body of `POST /mcp/model`. What was left empty is left out, so that the service's defaults apply. */
export function toRequest({
  prompt,
  intent,
  k,
  voters,
  models,
  maxCalls,
  maxUsd,
  context,
}: Question): object {
  const names = models
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);
  const config = {
    ...(k.trim() === "" ? {} : { k: k.trim() === "auto" ? "auto" : Number(k) }),
    ...(voters === "" ? {} : { num_voters: Number(voters) }),
    ...(names.length === 1 ? { model: names[0] } : names.length > 1 ? { models: names } : {}),
    ...(maxCalls === "" ? {} : { max_calls: Number(maxCalls) }),
    ...(maxUsd === "" ? {} : { max_usd: Number(maxUsd) }),
  };
  return {
    prompt,
    ...(intent === "" ? {} : { intent }),
    ...(context.trim() === "" ? {} : { context: { code: context } }),
    ...(Object.keys(config).length === 0 ? {} : { config }),
  };
}
