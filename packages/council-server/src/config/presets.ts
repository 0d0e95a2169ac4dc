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
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    const { success, data, error } = Presets.safeParse(value);
    if (success) return data;
    for (const { message } of problemsOf(error, Presets, value))
      problems.push(`MCI_PRESETS: ${file}: ${message}`);
  } catch (error) {
    problems.push(
      `MCI_PRESETS: ${file} must be a JSON file such as {"audit": {"num_voters": 5, "k": 4}}: ${(error as Error).message}`,
    );
  }
  return {};
}

/** How actions are decided; what is wrong with the setting is added to the problems. */
export function readActConfig(setting: string | undefined, problems: string[]): ActConfig {
  if (setting === undefined) return {};
  try {
    const value: unknown = JSON.parse(
      setting.trim().startsWith("{") ? setting : readFileSync(setting, "utf8"),
    );
    const { success, data, error } = actConfigSchema.safeParse(value);
    if (success) return data;
    for (const { message } of problemsOf(error, actConfigSchema, value)) problems.push(`MCI_ACT: ${message}`);
  } catch (error) {
    problems.push(
      `MCI_ACT must be JSON such as {"k": 3, "read_only": ["get_*"]}, or a file that holds it: ${(error as Error).message}`,
    );
  }
  return {};
}
