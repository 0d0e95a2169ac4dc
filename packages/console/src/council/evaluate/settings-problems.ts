import type { EvaluationOptions } from "@mci-ts/council-server/api";
import { checkInput } from "../../parts/form/check-input.ts";
import type { FormSchema } from "../../parts/form/json-schema.ts";
import { modelsOf, titleOf } from "./matrix.ts";
import type { Evaluation } from "./types.ts";

/** What the service would refuse of settings and models, before anything is sent. */
export function settingsProblems(
  evaluation: Evaluation,
  { settings, models }: EvaluationOptions,
): readonly string[] {
  return evaluation.columns.flatMap((column) => {
    const title = titleOf(column, evaluation);
    const refused = modelsOf(column).flatMap(
      (name) => models.find((each) => each.name === name)?.refused ?? [],
    );
    return [
      ...[...checkInput(settings as FormSchema, column.settings)].map(
        ([path, message]) => `${title}: ${path.slice(1) || "settings"}: ${message}`,
      ),
      ...refused.map((message) => `${title}: ${message}.`.replace(/\.\.$/, ".")),
    ];
  });
}
