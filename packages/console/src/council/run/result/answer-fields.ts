import { jsonOrText } from "@mci-ts/primitives/parse-json";
import { type FormSchema, resolveSchema } from "../../../parts/form/json-schema.ts";

export interface AnswerField {
  readonly name: string;
  readonly value: unknown;
  /** Fields marked `x-vote: false` are left out when two answers are compared. */
  readonly isVoted: boolean;
}

type Schema = Readonly<Record<string, unknown>>;

/** The fields of an answer that is an object; undefined for a text. Events carry objects as JSON text. */
export function fieldsOf(answer: unknown, schema: Schema | undefined): AnswerField[] | undefined {
  const value = typeof answer === "string" && schema !== undefined ? jsonOrText(answer) : answer;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return Object.entries(value).map(([name, each]) => ({
    name,
    value: each,
    isVoted: isVoted(name, schema),
  }));
}

/** One line: `invoice R-17, total 120.5`. */
export function answerText(answer: unknown, schema: Schema | undefined): string {
  const fields = fieldsOf(answer, schema);
  return fields === undefined
    ? String(answer)
    : fields.map(({ name, value }) => `${name} ${fieldText(value)}`).join(", ");
}

export function fieldText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function isVoted(name: string, schema: Schema | undefined): boolean {
  const properties = schema?.["properties"] as Readonly<Record<string, FormSchema>> | undefined;
  if (!properties || !Object.hasOwn(properties, name)) return true;
  const property = properties[name]!;
  return [property, resolveSchema(property, schema as FormSchema)].every(
    (each) => (each as { "x-vote"?: unknown })["x-vote"] !== false,
  );
}
