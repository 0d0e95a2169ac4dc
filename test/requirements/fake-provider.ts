import type { Requirements } from "./requirements.ts";

export default {
  "FP-script": "Rules decide by model, by text and a number of times; otherwise the behaviour decides",
  "FP-faults": "It cuts connections, hangs and refuses calls as configured, and logs what happened",
  "FP-options": "A wrong option of startFakeProvider is a TypeError that names it",
  "FP-command":
    "mci-council-sim takes its behaviour from the command line, and reports every wrong option without a stack",
} satisfies Requirements;
