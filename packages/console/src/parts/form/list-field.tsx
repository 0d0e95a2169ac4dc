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
  const change = (next: unknown[]) => onChange(next.length === 0 && !required ? undefined : next);
  const moved = (index: number) => items.with(index, items[index - 1]).with(index - 1, items[index]);
  return (
    <>
      {items.map((item, index) => (
        <div key={index} className="row list-item">
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
              onClick={() => change(moved(index))}
            >
              ↑
            </button>
          )}
          <button
            type="button"
            className="quiet"
            aria-label={`Remove ${name} ${index + 1}`}
            onClick={() => change(items.toSpliced(index, 1))}
          >
            Remove
          </button>
        </div>
      ))}
      <button type="button" onClick={() => change([...items, undefined])}>
        Add {labelOf({ name, schema })}
      </button>
    </>
  );
}
