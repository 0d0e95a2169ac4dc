import { type Intent, PRESETS, type Preset, STRATEGIES } from "@mci-ts/council";
import { HttpError } from "../http/errors.ts";

export interface ChatModel {
  readonly intent?: Intent;
  readonly preset?: string;
  readonly description: string;
}

/** The model names that chat clients can use. */
export type ChatModels = ReadonlyMap<string, ChatModel>;

const STRATEGY_CHOICES = new Map<string, ChatModel>([
  ["auto", { description: "Chooses the strategy from the prompt." }],
  ...STRATEGIES.map(
    ({ name, intents, description }) => [name, { intent: intents[0]!, description }] as const,
  ),
]);
export const STRATEGY_MODELS = [...STRATEGY_CHOICES.keys()];

/** Every strategy, then every strategy with every preset: many clients can choose nothing but a model. */
export function chatModels(presets: Readonly<Record<string, Preset>>): ChatModels {
  const names = [...new Set([...Object.keys(PRESETS), ...Object.keys(presets)])];
  return new Map([
    ...STRATEGY_CHOICES,
    ...[...STRATEGY_CHOICES].flatMap(([id, { intent, description }]) =>
      names.map((preset): [string, ChatModel] => [
        `${id}:${preset}`,
        { ...(intent ? { intent } : {}), preset, description: `${description} Preset ${preset}.` },
      ]),
    ),
  ]);
}

export function modelNotFound(id: string, path: string, models: ChatModels): HttpError {
  const names = [...models.keys()].join(", ");
  return new HttpError("not_found", `The model "${id}" does not exist; available: ${names}`, {
    details: [{ path, message: `${path} must be one of ${names}` }],
  });
}
