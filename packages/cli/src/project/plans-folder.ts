import { dirname, join } from "node:path";

/** Where plans of code are kept, unless a folder is given: beside the MCI file, so that `mci run` and `mci ui` share them. */
export const plansFolder = (file: string) => join(dirname(file), ".mci", "plans");
