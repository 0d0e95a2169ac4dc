import { closestMatch } from "@mci-ts/primitives/closest-match";
import type { Problem } from "../errors.ts";
import type { UnknownName } from "../template/references.ts";
import type { Location } from "./result.ts";

/** A placeholder that can never have a value, because its first name does not exist. */
export function unknownName(
  name: UnknownName,
  source: string,
  declared: readonly string[],
  locationOf: Location,
): Problem {
  return {
    message: `'${name.text}' never has a value: there is no '${name.root}' here`,
    hint:
      suggestion(name, declared) ?? word(name, source) ?? "names begin with props, env or a loop variable",
    severity: "warning",
    ...locationOf,
  };
}

function suggestion({ root, text, variables }: UnknownName, declared: readonly string[]): string | undefined {
  if (declared.includes(root)) return didYouMean(`props.${text}`);
  const similar = closestMatch(root, ["props", "env", "input", "properties", ...variables]);
  if (similar !== undefined) return didYouMean(similar + text.slice(root.length));
  // Written as variables of the environment are.
  return /^[A-Z][A-Z\d_]+$/.test(text) ? didYouMean(`env.${text}`) : undefined;
}

/** Right of a `|`: for a text, or for a filter of another language. */
function word({ text, root, offset }: UnknownName, source: string): string | undefined {
  if (text !== root || !/(?<!\|)\|\s*$/.test(source.slice(Math.max(0, offset - 100), offset)))
    return undefined;
  return `what follows | is used if nothing before it has a value; to print the word, quote it: '${text}'`;
}

const didYouMean = (name: string) => `did you mean '${name}'?`;
