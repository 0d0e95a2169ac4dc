import type { Part } from "./part.ts";
import { councilPart } from "./parts/council.ts";
import { evaluationPart } from "./parts/evaluation.ts";
import { speedPart } from "./parts/speed.ts";

/** In this order. */
export const PARTS: readonly Part[] = [speedPart, councilPart, evaluationPart];
