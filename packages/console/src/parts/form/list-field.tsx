import { useState } from "react";
import { type GroupProps, labelOf } from "./field.ts";

export function ListField({
  name,
  path,
  schema,
  root,
  value,
  required,
  onChange,
  depth,
  renderField,
}: GroupProps) {
  const items = Array.isArray(value) ? value : [];
  // What a field remembers of its item, such as the shape that was chosen, goes with the item.
  const [keys, setKeys] = useState<readonly number[]>(() => items.map((_, index) => index));
  const change = (next: unknown[], nextKeys = keys) => {
    setKeys(nextKeys);
    onChange(next.length === 0 && !required ? undefined : next);
  };
  const moved = <T,>(list: readonly T[], index: number) =>
    list.with(index, list[index - 1]!).with(index - 1, list[index]!);
  return (
    <>
      {items.map((item, index) => (
        <div key={keys[index] ?? `new ${index}`} className="row list-item">
          <div className="grow">
            {renderField({
              name: `${name} ${index + 1}`,
              path: `${path}/${index}`,
              schema: schema.items!,
              root,
              value: item,
              required: true,
              isEntry: true,
              depth: depth + 1,
              onChange: (next) => change(items.with(index, next)),
            })}
          </div>
          {index > 0 && (
            <button
              type="button"
              className="quiet"
              aria-label={`Move ${name} ${index + 1} up`}
              onClick={() => change(moved(items, index), moved(keys, index))}
            >
              ↑
            </button>
          )}
          <button
            type="button"
            className="quiet"
            aria-label={`Remove ${name} ${index + 1}`}
            onClick={() => change(items.toSpliced(index, 1), keys.toSpliced(index, 1))}
          >
            Remove
          </button>
        </div>
      ))}
      <button
        type="button"
        onClick={() => change([...items, undefined], [...keys, Math.max(-1, ...keys) + 1])}
      >
        Add {labelOf({ name, schema })}
      </button>
    </>
  );
}
