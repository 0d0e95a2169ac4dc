import type { Part } from "./part.ts";
import { councilPart } from "./parts/council.ts";
import { evaluationPart } from "./parts/evaluation.ts";
import { judgePart } from "./parts/judge.ts";
import { promptsPart } from "./parts/prompts.ts";
import { speedPart } from "./parts/speed.ts";
import { taskPart } from "./parts/task.ts";

/** In this order. */
export const PARTS: readonly Part[] = [
  speedPart,
  councilPart,
  promptsPart,
  taskPart,
  judgePart,
  evaluationPart,
];
