import { randomBytes } from "node:crypto";

/** Short, because every recorded step repeats it; 80 bits of chance. */
export function newTaskId(): string {
  return randomBytes(10).toString("hex");
}
