import type { EvaluationOptions } from "@mci-ts/council-server/api";
import { checkInput } from "../../parts/form/check-input.ts";
import type { FormSchema } from "../../parts/form/json-schema.ts";
import { titleOf } from "./matrix.ts";
import type { Evaluation } from "./types.ts";

/** What the service would refuse of the settings, before anything is sent. */
export function settingsProblems(evaluation: Evaluation, { settings }: EvaluationOptions): readonly string[] {
  return evaluation.columns.flatMap((column) =>
    [...checkInput(settings as FormSchema, column.settings)].map(
      ([path, message]) => `${titleOf(column, evaluation)}: ${path.slice(1) || "settings"}: ${message}`,
    ),
  );
}
