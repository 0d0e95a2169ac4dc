import { invalidField } from "./refusals.ts";
import { parseInput } from "./values.ts";

/** To find out that a text is not JSON costs as much as to read hundreds of short ones that are. */
const MAX_BROKEN_ARGUMENTS = 1000;

/** One request on its way into the SDK's form. */
export class Translation {
  readonly warnings: string[] = [];
  #broken = 0;

  /** Arguments of an earlier call, as data where they are JSON. */
  readonly readArguments = (text: unknown, path: string): unknown => {
    const input = parseInput(text);
    if (typeof input === "string" && ++this.#broken > MAX_BROKEN_ARGUMENTS)
      throw invalidField(path, `are not JSON, as those of ${MAX_BROKEN_ARGUMENTS} earlier calls`);
    return input;
  };
}
