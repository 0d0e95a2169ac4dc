import { PRESETS } from "@mci-ts/council";
import type { Config } from "../../config/config.ts";
import type { Models } from "../../providers/models.ts";
import { ServiceError } from "../../service-error.ts";

/** A model name of agents: `act`, `act:PRESET` or `act/MODEL`. */
export interface ActModel {
  readonly preset?: string;
  readonly model?: string;
}

export const isActModel = (id: unknown): id is string => typeof id === "string" && /^act([:/]|$)/.test(id);

/** Throws for a name that is not one, and for a preset that does not exist. */
export function readActModel(id: unknown, config: Pick<Config, "presets">): ActModel {
  if (!isActModel(id)) {
    const value = JSON.stringify(id) ?? "absent";
    const message = `model must be act, act:PRESET or act/MODEL here; it is ${value.slice(0, 200)}. auto, council, vote and decompose are models of /v1/chat/completions, without tools.`;
    throw new ServiceError("not_found", message, { details: [{ path: "model", message }] });
  }
  if (id === "act") return {};
  if (id.startsWith("act/")) return { model: id.slice("act/".length) };
  const preset = id.slice("act:".length);
  const names = presetNames(config);
  if (names.includes(preset)) return { preset };
  const message = `There is no preset ${JSON.stringify(preset.slice(0, 100))}; available: ${names.join(", ")}`;
  throw new ServiceError("not_found", message, { details: [{ path: "model", message }] });
}

/** Every model name of agents, with what it does. */
export function listActModels(
  config: Pick<Config, "presets">,
  { names }: Pick<Models, "names">,
): Map<string, string> {
  const description = "Each action of an agent is decided by a vote.";
  const served = [names.voter, ...(names.seats ?? []), names.judge, names.helper, ...(names.fallbacks ?? [])];
  const models = [...new Set(served.filter((name) => name !== undefined))];
  return new Map([
    ["act", description],
    ...presetNames(config).map((preset) => [`act:${preset}`, `${description} Preset ${preset}.`] as const),
    ...models.map((model) => [`act/${model}`, `${description} Samples of ${model}.`] as const),
  ]);
}

const presetNames = ({ presets }: Pick<Config, "presets">) => [
  ...new Set([...Object.keys(PRESETS), ...Object.keys(presets)]),
];
