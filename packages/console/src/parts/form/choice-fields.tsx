import type { FieldProps } from "./field.ts";
import { type Choice, choicesOf } from "./json-schema.ts";

const BOOLEANS: readonly Choice[] = [
  { value: true, label: "true" },
  { value: false, label: "false" },
];

export function ChoiceField({ schema, value, required, onChange, control }: FieldProps) {
  const choices = choicesOf(schema) ?? BOOLEANS;
  return (
    <select
      {...control}
      value={indexOf(choices, value)}
      onChange={({ target }) => onChange(choices[Number(target.value)]?.value)}
    >
      <option value={-1}>{required ? "Choose…" : "Not given"}</option>
      {choices.map(({ label }, index) => (
        <option key={index} value={index}>
          {label}
        </option>
      ))}
    </select>
  );
}

/** Several of a few choices, in the order of the choices. What is not a choice stays as it is. */
export function ChoicesField({ schema, value, required, onChange }: FieldProps) {
  const choices = choicesOf(schema.items ?? {}) ?? [];
  const chosen = Array.isArray(value) ? value : [];
  const change = (index: number, isChosen: boolean) => {
    const next = choices.filter((each, at) =>
      at === index ? isChosen : chosen.some((one) => isEqual(one, each.value)),
    );
    const others = chosen.filter((one) => !choices.some((each) => isEqual(one, each.value)));
    const all = [...next.map((each) => each.value), ...others];
    onChange(all.length === 0 && !required ? undefined : all);
  };
  return (
    <div className="row">
      {choices.map(({ label, value: each }, index) => (
        <label key={index} className="check">
          <input
            type="checkbox"
            checked={chosen.some((one) => isEqual(one, each))}
            onChange={({ target }) => change(index, target.checked)}
          />
          {label}
        </label>
      ))}
    </div>
  );
}

const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
const indexOf = (choices: readonly Choice[], value: unknown) =>
  choices.findIndex((each) => isEqual(each.value, value));
