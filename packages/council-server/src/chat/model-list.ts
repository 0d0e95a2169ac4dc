import { type Intent, PRESETS, type Preset, STRATEGIES } from "@mci-ts/council";
import { ServiceError } from "../service-error.ts";

interface ChatModel {
  readonly intent?: Intent;
  readonly preset?: string;
  readonly description: string;
}

/** The model names that chat clients can use. */
export type ChatModels = ReadonlyMap<string, ChatModel>;

const STRATEGY_CHOICES = new Map<string, ChatModel>([
  ["auto", { description: "Chooses the strategy from the prompt." }],
  ...STRATEGIES.map(
    ({ name, intents, description }) =>
      [name, { intent: Object.keys(intents)[0] as Intent, description }] as const,
  ),
]);
export const STRATEGY_MODELS = [...STRATEGY_CHOICES.keys()];

/** Every strategy, then every strategy with every preset: many clients can choose nothing but a model. */
export function listChatModels(presets: Readonly<Record<string, Preset>>): ChatModels {
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

export function modelNotFound(id: string, path: string, models: ReadonlyMap<string, unknown>): ServiceError {
  const names = [...models.keys()].join(", ");
  return new ServiceError("not_found", `The model "${id}" does not exist; available: ${names}`, {
    details: [{ path, message: `${path} must be one of ${names}` }],
  });
}
