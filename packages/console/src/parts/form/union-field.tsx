import { useContext, useEffect, useState } from "react";
import { closestVariant } from "./check-input.ts";
import type { GroupProps } from "./field.ts";
import { FieldErrorsContext } from "./field-errors.ts";
import { initialValue, kindOf, resolveSchema, variantsOf } from "./json-schema.ts";

/** One of several shapes: which, and then its own fields. What was typed into another shape is there again when one goes back. */
export function UnionField({
  name,
  path,
  schema,
  root,
  value,
  required,
  onChange,
  depth,
  control,
  renderField,
}: GroupProps) {
  const variants = (variantsOf(schema) ?? []).map((each) => resolveSchema(each, root));
  const [chosen, setChosen] = useState<number | undefined>(() =>
    value === undefined ? undefined : closestVariant(variants, value, root),
  );
  const [left, setLeft] = useState<Readonly<Record<number, unknown>>>({});
  const { setChosen: tellChosen } = useContext(FieldErrorsContext);
  useEffect(() => {
    tellChosen(path, chosen);
    return () => tellChosen(path, undefined);
  }, [path, chosen, tellChosen]);
  const variant = chosen === undefined ? undefined : variants[chosen];
  const choose = (next: number | undefined) => {
    if (chosen !== undefined) setLeft({ ...left, [chosen]: value });
    setChosen(next);
    if (next === undefined) onChange(undefined);
    else
      onChange(left[next] ?? initialValue(variants[next]!, root, depth) ?? emptyOf(kindOf(variants[next]!)));
  };
  return (
    <>
      <select
        {...control}
        aria-label={`Kind of ${schema.title ?? name}`}
        value={chosen ?? -1}
        onChange={({ target }) => choose(target.value === "-1" ? undefined : Number(target.value))}
      >
        <option value={-1}>{required ? "Choose…" : "Not given"}</option>
        {variants.map((each, index) => (
          <option key={index} value={index}>
            {nameOf(each) ?? `Kind ${index + 1}`}
          </option>
        ))}
      </select>
      {variant &&
        renderField({
          name,
          path,
          schema: { ...variant, title: nameOf(variant) ?? name },
          root,
          value,
          required: true,
          isEntry: true,
          onChange,
          depth: depth + 1,
        })}
    </>
  );
}

const emptyOf = (kind: string) => (kind === "object" || kind === "map" ? {} : undefined);

/** By its title, the value that tells it apart, or its type. */
function nameOf({ title, properties = {}, type }: ReturnType<typeof resolveSchema>): string | undefined {
  if (title !== undefined) return title;
  const constant = Object.values(properties).find((each) => each?.const !== undefined)?.const;
  if (constant !== undefined) return String(constant);
  const fields = Object.keys(properties);
  if (fields.length > 0) return fields.slice(0, 3).join(", ");
  return typeof type === "string" ? type : undefined;
}
