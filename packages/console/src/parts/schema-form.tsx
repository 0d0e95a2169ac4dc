import { isObject } from "@mci-ts/primitives/is-object";
import { useContext, useEffect, useId, useState } from "react";
import { FieldErrorsContext } from "./field-errors.ts";
import { type FormSchema, kindOf, resolveRef } from "./json-schema.ts";

export interface FieldProps {
  readonly name: string;
  /** The path of the value in the input: `/home/city`. */
  readonly path: string;
  readonly schema: FormSchema;
  readonly root: FormSchema;
  readonly value: unknown;
  readonly required: boolean;
  readonly onChange: (value: unknown) => void;
  readonly depth?: number;
}

/** A form for an input schema. `undefined` means "not given", so optional fields can be left out. */
export function SchemaForm({
  schema,
  value,
  onChange,
}: {
  schema: FormSchema;
  value: Readonly<Record<string, unknown>>;
  onChange: (value: Record<string, unknown>) => void;
}) {
  const properties = Object.entries(schema.properties ?? {});
  if (properties.length === 0) return <p className="muted">This tool takes no input.</p>;
  return (
    <div className="schema-form">
      {properties.map(([name, property]) => (
        <Field
          key={name}
          name={name}
          path={`/${name}`}
          schema={property}
          root={schema}
          value={value[name]}
          required={schema.required?.includes(name) ?? false}
          onChange={(next) => onChange(withField(value, name, next))}
        />
      ))}
    </div>
  );
}

function Field(props: FieldProps) {
  const { depth = 0 } = props;
  const schema = resolveRef(props.schema, props.root);
  const kind = kindOf(schema, depth);
  const Input = INPUTS[kind];
  const error = useContext(FieldErrorsContext).errors.get(props.path);
  // Two properties of one shared type are told apart by their own names.
  const title = props.schema.$ref === undefined ? schema.title : props.schema.title;
  return (
    <div className={error === undefined ? undefined : "invalid-field"}>
      <Input {...props} schema={{ ...schema, title }} depth={depth} />
      {error !== undefined && (
        <p className="error-text" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

const INPUTS: Readonly<Record<ReturnType<typeof kindOf>, (props: FieldProps) => React.ReactNode>> = {
  text: TextField,
  number: NumberField,
  boolean: BooleanField,
  choice: ChoiceField,
  object: ObjectField,
  list: ListField,
  json: JsonField,
};

function Label({
  name,
  schema,
  required,
  id,
}: Pick<FieldProps, "name" | "schema" | "required"> & { id: string }) {
  return (
    <>
      <label htmlFor={id}>
        {schema.title ?? name} {required && <span className="required">required</span>}
      </label>
      {schema.description && <small id={`${id}-about`}>{schema.description}</small>}
    </>
  );
}

function TextField({ name, schema, value, required, onChange }: FieldProps) {
  const id = useId();
  const text = typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);
  const long =
    text.length > 60 || text.includes("\n") || /body|content|text|message|description|query/i.test(name);
  const common = {
    id,
    value: text,
    required,
    "aria-describedby": schema.description ? `${id}-about` : undefined,
    onChange: ({ target }: { target: { value: string } }) =>
      onChange(target.value === "" && !required ? undefined : target.value),
  };
  return (
    <div className="field">
      <Label {...{ name, schema, required, id }} />
      {long ? (
        <textarea rows={Math.min(10, text.split("\n").length + 1)} {...common} />
      ) : (
        <input type="text" autoComplete="off" {...common} />
      )}
    </div>
  );
}

function NumberField({ name, schema, value, required, onChange }: FieldProps) {
  const id = useId();
  return (
    <div className="field">
      <Label {...{ name, schema, required, id }} />
      <input
        id={id}
        type="number"
        step="any"
        min={schema.minimum}
        max={schema.maximum}
        value={typeof value === "number" ? value : ""}
        required={required}
        onChange={({ target }) => onChange(target.value === "" ? undefined : target.valueAsNumber)}
      />
    </div>
  );
}

function BooleanField({ name, schema, value, required, onChange }: FieldProps) {
  const id = useId();
  return (
    <div className="field">
      <Label {...{ name, schema, required, id }} />
      <select
        id={id}
        value={value === undefined ? "" : String(value)}
        onChange={({ target }) => onChange(target.value === "" ? undefined : target.value === "true")}
      >
        <option value="">{required ? "Choose…" : "Not given"}</option>
        <option value="true">true</option>
        <option value="false">false</option>
      </select>
    </div>
  );
}

function ChoiceField({ name, schema, value, required, onChange }: FieldProps) {
  const id = useId();
  const options = schema.const !== undefined ? [schema.const] : (schema.enum ?? []);
  const index = options.findIndex((option) => JSON.stringify(option) === JSON.stringify(value));
  return (
    <div className="field">
      <Label {...{ name, schema, required, id }} />
      <select id={id} value={index} onChange={({ target }) => onChange(options[Number(target.value)])}>
        <option value={-1}>{required ? "Choose…" : "Not given"}</option>
        {options.map((option, each) => (
          <option key={each} value={each}>
            {typeof option === "string" ? option : JSON.stringify(option)}
          </option>
        ))}
      </select>
    </div>
  );
}

function ObjectField({ name, path, schema, root, value, required, onChange, depth = 0 }: FieldProps) {
  const fields = isObject(value) ? value : {};
  // An object that is left out requires nothing.
  const isUsed = required || value !== undefined;
  return (
    <fieldset className="field">
      <legend>
        {schema.title ?? name} {required && <span className="required">required</span>}
      </legend>
      {schema.description && <small>{schema.description}</small>}
      {Object.entries(schema.properties ?? {}).map(([key, property]) => (
        <Field
          key={key}
          name={key}
          path={`${path}/${key}`}
          schema={property}
          root={root}
          value={fields[key]}
          required={isUsed && (schema.required?.includes(key) ?? false)}
          depth={depth + 1}
          onChange={(next) => {
            const changed = withField(fields, key, next);
            onChange(Object.keys(changed).length === 0 && !required ? undefined : changed);
          }}
        />
      ))}
    </fieldset>
  );
}

function ListField({ name, path, schema, root, value, required, onChange, depth = 0 }: FieldProps) {
  const items = Array.isArray(value) ? value : [];
  const change = (next: unknown[]) => onChange(next.length === 0 && !required ? undefined : next);
  return (
    <fieldset className="field">
      <legend>
        {schema.title ?? name} {required && <span className="required">required</span>}
      </legend>
      {schema.description && <small>{schema.description}</small>}
      {items.map((item, index) => (
        <div key={index} className="row list-item">
          <div className="grow">
            <Field
              name={`${name} ${index + 1}`}
              path={`${path}/${index}`}
              schema={schema.items!}
              root={root}
              value={item}
              required
              depth={depth + 1}
              onChange={(next) => change(items.with(index, next))}
            />
          </div>
          <button
            type="button"
            aria-label={`Remove ${name} ${index + 1}`}
            onClick={() => change(items.toSpliced(index, 1))}
          >
            Remove
          </button>
        </div>
      ))}
      <button type="button" onClick={() => change([...items, undefined])}>
        Add {name}
      </button>
    </fieldset>
  );
}

function JsonField({ name, schema, value, required, onChange }: FieldProps) {
  const id = useId();
  const [text, setText] = useState(value === undefined ? "" : JSON.stringify(value, undefined, 2));
  const [error, setError] = useState<string>();
  const { setNotJson } = useContext(FieldErrorsContext);
  useEffect(() => {
    setNotJson(id, error !== undefined);
    return () => setNotJson(id, false);
  }, [id, error, setNotJson]);
  return (
    <div className="field">
      <Label {...{ name, schema, required, id }} />
      <textarea
        id={id}
        rows={4}
        className="mono"
        spellCheck={false}
        value={text}
        placeholder="JSON"
        aria-invalid={error !== undefined}
        aria-errormessage={error === undefined ? undefined : `${id}-error`}
        onChange={({ target }) => {
          setText(target.value);
          try {
            onChange(target.value.trim() === "" ? undefined : JSON.parse(target.value));
            setError(undefined);
          } catch (reason) {
            setError((reason as Error).message);
          }
        }}
      />
      {error && (
        <p id={`${id}-error`} className="error-text">
          Not JSON: {error}
        </p>
      )}
    </div>
  );
}

function withField(
  value: Readonly<Record<string, unknown>>,
  name: string,
  next: unknown,
): Record<string, unknown> {
  const { [name]: _, ...rest } = value;
  return next === undefined ? rest : { ...rest, [name]: next };
}
