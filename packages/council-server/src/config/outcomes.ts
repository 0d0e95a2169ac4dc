import { readFileSync } from "node:fs";
import { type Outcome, outcomeSchema } from "@mci-ts/council";

/** Outcomes that were measured elsewhere, one JSON object per line, as `mci-council eval` writes them. */
export function readOutcomes(file: string | undefined, problems: string[]): readonly Outcome[] {
  if (file === undefined) return [];
  try {
    const lines = readFileSync(file, "utf8").split("\n");
    return lines.flatMap((line, i) => {
      if (line.trim() === "") return [];
      const { success, data, error } = outcomeSchema.safeParse(JSON.parse(line));
      if (success) return [data];
      const [issue] = error.issues;
      problems.push(`MCI_OUTCOMES: ${file}, line ${i + 1}: ${issue?.path.join(".")}: ${issue?.message}`);
      return [];
    });
  } catch (error) {
    problems.push(`MCI_OUTCOMES: ${file} must hold one JSON object per line: ${(error as Error).message}`);
    return [];
  }
}
