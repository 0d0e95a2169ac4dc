import type { Requirements } from "./requirements.ts";

export default {
  "E-theory": "With a known model the evaluation recovers p and the error rates of theory for k = 1, 3 and 5",
  "E-cost": "The evaluation says what it will cost before it starts and while it runs",
  "E-concurrency": "The evaluation asks a limited number of questions at a time",
  "E-resume": "The evaluation goes on after kill -9 without asking again what is on disk",
  "E-eval": "mci-council eval recovers known accuracies, resumes, and reports accuracy, cost and calibration",
} satisfies Requirements;
