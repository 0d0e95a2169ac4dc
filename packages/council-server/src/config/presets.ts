import { readFileSync } from "node:fs";
import {
  type ActConfig,
  actConfigSchema,
  type Preset,
  problemsOf,
  requestConfigSchema,
} from "@mci-ts/council";
import { z } from "zod";

const Presets = z.record(z.string().min(1).max(100), requestConfigSchema.omit({ preset: true }));

/** The operator's presets; what is wrong with the file is added to the problems. */
export function readPresets(file: string | undefined, problems: string[]): Readonly<Record<string, Preset>> {
  if (file === undefined) return {};
  const place = `MCI_PRESETS: ${file}`;
  const must = `${place} must be a JSON file such as {"audit": {"num_voters": 5, "k": 4}}`;
  return readJson(Presets, () => readFileSync(file, "utf8"), { place, must }, problems) ?? {};
}

/** How actions are decided; what is wrong with the setting is added to the problems. */
export function readActConfig(setting: string | undefined, problems: string[]): ActConfig {
  if (setting === undefined) return {};
  const must = 'MCI_ACT must be JSON such as {"k": 3, "read_only": ["get_*"]}, or a file that holds it';
  const text = () => (setting.trim().startsWith("{") ? setting : readFileSync(setting, "utf8"));
  return readJson(actConfigSchema, text, { place: "MCI_ACT", must }, problems) ?? {};
}

function readJson<T>(
  schema: z.ZodType<T>,
  read: () => string,
  { place, must }: { readonly place: string; readonly must: string },
  problems: string[],
): T | undefined {
  try {
    const value: unknown = JSON.parse(read());
    const { success, data, error } = schema.safeParse(value);
    if (success) return data;
    for (const { message } of problemsOf(error, schema, value)) problems.push(`${place}: ${message}`);
  } catch (error) {
    problems.push(`${must}: ${(error as Error).message}`);
  }
  return undefined;
}
