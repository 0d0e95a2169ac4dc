import { useMemo, useState } from "react";
import { checkInput, NONE_CHOSEN } from "./check-input.ts";
import type { FormSchema } from "./json-schema.ts";

/** What is wrong with an input, where one of several shapes was chosen by that one; and how the form says which. */
export function useCheckedInput(schema: FormSchema, value: unknown) {
  const [chosen, setChosen] = useState(NONE_CHOSEN);
  return [useMemo(() => checkInput(schema, value, chosen), [schema, value, chosen]), setChosen] as const;
}
