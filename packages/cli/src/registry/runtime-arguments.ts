import { isObject, objectsIn } from "@mci-ts/primitives/is-object";
import { PACKAGE_TYPES } from "./package-types.ts";

type Json = Readonly<Record<string, unknown>>;

export interface RuntimeArguments {
  /** Variables of an image, which its entry may also give as arguments of `docker run`. */
  readonly variables: readonly Json[];
  /** All others, as text. They can do anything, such as mount a folder. */
  readonly refused: readonly string[];
}

/**
 * What an entry gives to the program that starts its package: `-e NAME=value` of an image is one of its variables, as if it were
 * declared as such. What the command has anyway (`-i`, `--rm`, `-y`) is left out.
 */
export function runtimeArguments({ registryType, runtimeArguments: list }: Json): RuntimeArguments {
  const type = String(registryType);
  const own = Object.hasOwn(PACKAGE_TYPES, type) ? PACKAGE_TYPES[type]!.args("", "", []) : [];
  const variables: Json[] = [];
  const refused: string[] = [];
  for (const each of objectsIn(list)) {
    const variable = type === "oci" ? variableOf(each) : undefined;
    if (variable !== undefined) variables.push(variable);
    else {
      const words = [each.type === "named" ? each.name : undefined, each.value].filter(
        (word) => word !== undefined,
      );
      if (!(words.length === 1 && own.includes(String(words[0]))))
        refused.push(words.join(" ") || String(each.valueHint));
    }
  }
  return { variables, refused };
}

/** Undefined where it is not a variable. One that consists of a single input is that input. */
function variableOf({ type, name, value, variables, ...argument }: Json): Json | undefined {
  if (type !== "named" || (name !== "-e" && name !== "--env") || typeof value !== "string") return undefined;
  const [, variable, text] = /^([A-Za-z_]\w*)(?:=(.*))?$/s.exec(value) ?? [];
  if (variable === undefined) return undefined;
  const inputs: Json = isObject(variables) ? variables : {};
  const key = /^\{([A-Za-z_][\w-]*)\}$/.exec(text ?? "")?.[1];
  const input = key !== undefined && Object.hasOwn(inputs, key) ? inputs[key] : undefined;
  if (text !== undefined && !isObject(input))
    return { ...argument, name: variable, value: text, variables: inputs };
  const { isRequired, ...rest } = isObject(input) ? input : {};
  return {
    ...argument,
    isRequired: argument.isRequired !== false && isRequired !== false,
    ...rest,
    name: variable,
  };
}
