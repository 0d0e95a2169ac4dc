import type { Random } from "./random.ts";
import type { World } from "./world/world.ts";

/** One kind of bad weather. A new one is a file in `faults/` and a line in `faults.ts`. */
export interface Fault {
  readonly name: string;
  /** One sentence, for the table. */
  readonly about: string;
  /** Why this machine cannot do it. Default: it can. */
  readonly impossible?: (world: World) => string | undefined;
  /** Makes it happen, and ends it: when this resolves, all that the fault itself broke is repaired. */
  readonly strike: (world: World, random: Random) => Promise<void>;
}
