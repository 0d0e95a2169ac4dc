import type { Requirements } from "./requirements.ts";

export default {
  "E-theory": "With a known model the evaluation recovers p and the error rates of theory for k = 1, 3 and 5",
  "E-cost": "The evaluation says what it will cost before it starts and while it runs",
  "E-concurrency": "The evaluation asks a limited number of questions at a time",
  "E-resume": "The evaluation goes on after kill -9 without asking again what is on disk",
  "E-eval": "mci-council eval recovers known accuracies, resumes, and reports accuracy, cost and calibration",
  "E-runs": "Questions asked repeatedly give pass^n, the chance that n runs are all right",
  "E-calibrated":
    "Calibration compares a stated confidence with whether the leader was right; agreement is not called one",
  "E-baseline": "The self-consistency loop that is compared with uses neither schemas nor the engine",
  "E-paired":
    "Methods are compared on the same questions by a test that is named, adjusted for the number of comparisons",
  "E-calibration":
    "The calibration error is reported with its interval, and the share of right answers by verdict",
  "E-judge":
    "The judge of rubrics is measured against answers that people judged, and against injected instructions",
  "E-time": "The evaluation says how long it will take before it starts and after the first answer",
} satisfies Requirements;
