import { omitUndefined } from "@mci-ts/primitives/omit-undefined";
import { CouncilError } from "./errors.ts";
import type { RequestConfig, RunRequest } from "./request-config.ts";

/** Settings under one name. A request's own fields take precedence over its preset's. */
export type Preset = Omit<RequestConfig, "preset">;

export const PRESETS: Readonly<Record<string, Preset>> = {
  quick: { k: 2, num_voters: 2, reasoning_effort: "low" },
  balanced: { k: 3, num_voters: 3 },
  thorough: { k: 5, num_voters: 5, peer_ranking: true, escalate: ["paraphrase", "council"] },
};

/** The request with the settings that its preset stands for. */
export function applyPreset<Request extends RunRequest>(
  request: Request,
  added: Readonly<Record<string, Preset>> = {},
): Request {
  const { preset: name, ...config } = request.config ?? {};
  if (name === undefined) return request;
  const presets = new Map(Object.entries({ ...PRESETS, ...added }));
  const preset = presets.get(name);
  if (preset !== undefined) {
    const act =
      preset.act || config.act ? { act: { ...preset.act, ...omitUndefined(config.act ?? {}) } } : {};
    return { ...request, config: { ...preset, ...omitUndefined(config), ...act } };
  }
  const names = [...presets.keys()].map((each) => JSON.stringify(each)).join(", ");
  const message = `config.preset must be one of ${names}; it is ${JSON.stringify(name)}`;
  throw new CouncilError("invalid_request", message, { problems: [{ path: "config.preset", message }] });
}
