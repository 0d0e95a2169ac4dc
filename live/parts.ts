import type { Part } from "./part.ts";
import { councilPart } from "./parts/council.ts";
import { evaluationPart } from "./parts/evaluation.ts";
import { judgePart } from "./parts/judge.ts";
import { litellmPart } from "./parts/litellm.ts";
import { pairsPart } from "./parts/pairs.ts";
import { promptsPart } from "./parts/prompts.ts";
import { seatsPart } from "./parts/seats.ts";
import { speedPart } from "./parts/speed.ts";
import { taskPart } from "./parts/task.ts";
import { twoModelsPart } from "./parts/two-models.ts";
import { varietyPart } from "./parts/variety.ts";

/** In this order. */
export const PARTS: readonly Part[] = [
  speedPart,
  councilPart,
  promptsPart,
  litellmPart,
  taskPart,
  pairsPart,
  judgePart,
  seatsPart,
  evaluationPart,
  varietyPart,
  twoModelsPart,
];
