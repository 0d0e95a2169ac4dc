import { Failure } from "../failure.ts";
import type { Serve } from "./options.ts";

export const serve: Serve = async () => {
  throw new Failure("This build of mci cannot serve yet.");
};
