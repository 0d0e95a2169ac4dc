import { problemsOf, requestConfigSchema } from "@mci-ts/council";
import { EvaluationError } from "../evaluation-error.ts";
import { type Method, methodOf } from "./methods.ts";

/**
 * A method of another name with more settings of a request: `cold=vote-3 {"k": 2}`. What a request would refuse is an `EvaluationError`
 * here, before a call.
 */
export function variantOf(text: string): { readonly name: string; readonly method: Method } {
  const refuse = (...problems: string[]): never => {
    throw new EvaluationError(problems.map((problem) => `--variant ${text}: ${problem}`));
  };
  const [, name, base, json] = /^([\w.-]{1,40})=([a-z0-9-]+)\s+(\{.*\})$/s.exec(text) ?? [];
  const settings = parseJson(json);
  if (name === undefined || base === undefined || settings === undefined)
    return refuse('must be NAME=METHOD {"setting": value}, such as wide=vote-3 {"max_samples": 9}');
  if (methodOf(base)?.request === undefined)
    return refuse(`${base} is not a method with settings: use single, vote-K, council or council-N`);
  const { success, data, error } = Settings.safeParse(settings);
  if (!success)
    return refuse(...problemsOf(error, Settings, settings, "config").map(({ message }) => message));
  // By the method of that size its calls are estimated, and its errors compared with theory.
  const size = base.startsWith("vote-") ? data.k : base.startsWith("council") ? data.num_voters : undefined;
  const sized = methodOf(typeof size === "number" ? base.replace(/(-\d+)?$/, `-${size}`) : base)!;
  const { k, request, ...method } = sized;
  const config = { ...request!.config, ...data };
  const known = k === undefined || data.k === "auto" ? {} : { k };
  return { name, method: { ...method, ...known, request: { ...request, config }, settings: json! } };
}

/** The model and the schema of the answer are those of the evaluation. */
const Settings = requestConfigSchema.omit({ model: true, answer_schema: true });

function parseJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
