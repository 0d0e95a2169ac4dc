import type { CouncilMetadata, CouncilResult, Tool } from "../result.ts";
import type { Run } from "../run.ts";

/** How one tool answers. A new tool is one new strategy plus one line in the record of `council.ts`. */
export type Strategy = (run: Run) => Promise<Answer>;

/** What a strategy finds out; the composer adds what every run reports. */
export interface Answer
  extends Pick<CouncilMetadata, "status" | "warnings" | "model" | "judge_model" | "voting" | "escalation"> {
  readonly tool: Tool;
  readonly result: CouncilResult["result"];
}
