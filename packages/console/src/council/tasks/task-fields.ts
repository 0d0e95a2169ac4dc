import { jsonOrText } from "@mci-ts/primitives/parse-json";
/** A new task as it is typed into a form. */
export interface TaskFields {
  readonly kind: "plan" | "steps";
  readonly name: string;
  readonly prompt: string;
  readonly state: string;
  readonly answer: string;
  readonly next: string;
  readonly until: string;
  readonly maxSteps: string;
  readonly k: string;
  readonly maxUsd: string;
}

export const EMPTY_TASK: TaskFields = {
  kind: "plan",
  name: "",
  prompt: "",
  state: "{}",
  answer: "",
  next: "",
  until: "",
  maxSteps: "",
  k: "",
  maxUsd: "",
};

/** The body of `POST /tasks`. What was left empty is left out; what is not JSON or not a number stays as it was typed, and is refused. */
export function toSpec(fields: TaskFields): Record<string, unknown> {
  const { kind, name, prompt, state, answer, next, until, maxSteps, k, maxUsd } = fields;
  const config = { ...filled("k", number(k)), ...filled("max_usd", number(maxUsd)) };
  const shared = {
    kind,
    ...filled("name", name.trim()),
    ...(Object.keys(config).length === 0 ? {} : { config }),
  };
  if (kind === "plan") return { ...shared, prompt };
  return {
    ...shared,
    state: jsonOrText(state),
    step: { prompt, answer: jsonOrText(answer), next },
    until,
    ...filled("max_steps", number(maxSteps)),
  };
}

/** The form of a task that is written as JSON; undefined where it is none, or has what no field shows. */
export function fromSpec(text: string): TaskFields | undefined {
  try {
    const { kind, name = "", prompt, state, step, until, max_steps, config = {}, ...rest } = JSON.parse(text);
    const { k, max_usd, ...others } = config;
    if (Object.keys(rest).length + Object.keys(others).length > 0) return undefined;
    const json = (value: unknown) => (value === undefined ? "" : JSON.stringify(value, undefined, 2));
    return {
      kind: kind === "steps" ? "steps" : "plan",
      name: String(name),
      prompt: String((kind === "steps" ? step?.prompt : prompt) ?? ""),
      state: json(state ?? {}),
      answer: json(step?.answer),
      next: String(step?.next ?? ""),
      until: String(until ?? ""),
      maxSteps: String(max_steps ?? ""),
      k: String(k ?? ""),
      maxUsd: String(max_usd ?? ""),
    };
  } catch {
    return undefined;
  }
}

/** What keeps the task from being started; the service checks the rest. */
export function problemsOf({ kind, prompt, state, answer, next, until }: TaskFields): readonly string[] {
  return [
    ...(prompt.trim() === ""
      ? [kind === "plan" ? "It needs to know what is to be done." : "It needs a question."]
      : []),
    ...(kind === "steps" && typeof jsonOrText(state) === "string" ? ["The state is not JSON."] : []),
    ...(kind === "steps" && typeof jsonOrText(answer) === "string"
      ? ["The schema of the answer is not JSON."]
      : []),
    ...(kind === "steps" && next.trim() === "" ? ["It needs a state after a step."] : []),
    ...(kind === "steps" && until.trim() === "" ? ["It needs to know when it is done."] : []),
  ];
}

const filled = (name: string, value: unknown) => (value === "" ? {} : { [name]: value });
const number = (text: string) =>
  text.trim() === "" || Number.isNaN(Number(text)) ? text.trim() : Number(text);
