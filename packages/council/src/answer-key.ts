import { inlineSchema } from "./answer-schema/inline.ts";
import { voteKey } from "./answer-schema/vote-key.ts";
import { canonical } from "./canonical/canonical.ts";

/** What an answer was asked for with. */
export interface AskedFor {
  readonly prompt: string;
  /** JSON Schema of an answer that is an object. */
  readonly schema?: Readonly<Record<string, unknown>> | undefined;
}

/** Names an answer: the name is equal for answers that are one vote. Throws `SchemaError` for a schema that cannot be used. */
export function answerKey({ prompt, schema }: AskedFor): (answer: unknown) => string {
  const inlined = schema && inlineSchema(schema);
  return (answer) =>
    inlined && typeof answer === "object"
      ? voteKey(inlined, answer)
      : canonical(typeof answer === "object" ? JSON.stringify(answer) : String(answer), prompt).key;
}
