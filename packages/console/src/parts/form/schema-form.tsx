import { isObject } from "@mci-ts/primitives/is-object";
import { type ReactNode, useContext, useEffect, useId, useState } from "react";
import { ChoiceField, ChoicesField } from "./choice-fields.tsx";
import { type FieldProps, labelOf, type NestedField, type RenderField, withField } from "./field.ts";
import { FieldErrorsContext } from "./field-errors.ts";
import { FileField } from "./file-field.tsx";
import { JsonField } from "./json-field.tsx";
import {
  type FieldKind,
  type FormSchema,
  initialValue,
  isNullable,
  kindOf,
  resolveSchema,
} from "./json-schema.ts";
import { ListField } from "./list-field.tsx";
import { MapField, MapRows } from "./map-field.tsx";
import { DateField, DateTimeField, NumberField, PasswordField, TextField } from "./text-fields.tsx";
import { UnionField } from "./union-field.tsx";

/** Fewer optional fields than this are not worth a fold. */
const FOLDED_FROM = 3;

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
  const resolved = resolveSchema(schema, schema);
  const kind = kindOf(resolved);
  if (kind === "union" || kind === "map")
    return (
      <div className="schema-form">
        <Field
          name="input"
          path=""
          schema={resolved}
          root={schema}
          value={value}
          required
          onChange={(next) => onChange(isObject(next) ? next : {})}
        />
      </div>
    );
  if (Object.keys(resolved.properties ?? {}).length === 0 && !isObject(resolved.additionalProperties))
    return <p className="muted">This tool takes no input.</p>;
  return (
    <div className="schema-form">
      <Properties schema={resolved} root={schema} path="" value={value} onChange={onChange} depth={0} />
    </div>
  );
}

interface PropertiesProps {
  readonly schema: FormSchema;
  readonly root: FormSchema;
  readonly path: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly onChange: (value: Record<string, unknown>) => void;
  readonly depth: number;
}

/** Required fields first, the others below them, folded where they are many. */
function Properties({ schema, root, path, value, onChange, depth }: PropertiesProps) {
  const { properties = {}, required = [], additionalProperties } = schema;
  const { errors } = useContext(FieldErrorsContext);
  const field = ([name, property]: [string, FormSchema]) => (
    <Field
      key={name}
      name={name}
      path={`${path}/${name}`}
      schema={property}
      root={root}
      value={value[name]}
      required={required.includes(name)}
      depth={depth + 1}
      onChange={(next) => onChange(withField(value, name, next))}
    />
  );
  const all = Object.entries(properties);
  const [first, others] = [
    all.filter(([name]) => required.includes(name)),
    all.filter(([name]) => !required.includes(name)),
  ];
  const isFolded = first.length > 0 && others.length >= FOLDED_FROM;
  return (
    <>
      {first.map(field)}
      {isFolded ? (
        <Fold
          names={others.map(([name]) => name)}
          // What was typed, or is wrong, is never out of sight.
          isNeeded={others.some(
            ([name, property]) =>
              JSON.stringify(value[name]) !== JSON.stringify(resolveSchema(property, root).default) ||
              [...errors.keys()].some((key) => key.startsWith(`${path}/${name}`)),
          )}
        >
          {others.map(field)}
        </Fold>
      ) : (
        others.map(field)
      )}
      {isObject(additionalProperties) && (
        <MapRows
          title="Other fields"
          {...{ path, root, value, depth, onChange }}
          schema={additionalProperties as FormSchema}
          except={Object.keys(properties)}
          renderField={renderField}
        />
      )}
    </>
  );
}

/** Names of folded fields that their line lists. */
const MAX_NAMES = 12;

function Fold({
  names,
  isNeeded,
  children,
}: {
  names: readonly string[];
  isNeeded: boolean;
  children: ReactNode;
}) {
  const [isOpen, setOpen] = useState(isNeeded);
  useEffect(() => {
    if (isNeeded) setOpen(true);
  }, [isNeeded]);
  return (
    <details
      className="optional-fields"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        {names.length} optional fields{" "}
        <span className="muted">
          {names.slice(0, MAX_NAMES).join(", ")}
          {names.length > MAX_NAMES && ` and ${names.length - MAX_NAMES} more`}
        </span>
      </summary>
      {isOpen && children}
    </details>
  );
}

const INPUTS: Readonly<Record<FieldKind, (props: FieldProps) => ReactNode>> = {
  text: TextField,
  date: DateField,
  "date-time": DateTimeField,
  password: PasswordField,
  file: FileField,
  number: NumberField,
  boolean: ChoiceField,
  choice: ChoiceField,
  choices: ChoicesField,
  object: ObjectField,
  map: (props) => <MapField {...props} renderField={renderField} />,
  list: (props) => <ListField {...props} renderField={renderField} />,
  union: (props) => <UnionField {...props} renderField={renderField} />,
  json: JsonField,
};

/** Kinds that are a group of fields, with a name of their own. */
const GROUPS: ReadonlySet<FieldKind> = new Set(["choices", "object", "map", "list", "union"]);

const renderField: RenderField = (props) => <Field {...props} />;

/** One value: its label, what it is about, the input for its kind, and what is wrong with it. */
function Field({ depth = 0, ...props }: NestedField) {
  const id = useId();
  const schema = resolveSchema(props.schema, props.root);
  const kind = kindOf(schema, depth);
  const Input = INPUTS[kind];
  const found = useContext(FieldErrorsContext).errors.get(props.path);
  // Below a choice of shapes stands the field of the chosen one, which says it.
  const error = kind === "union" && props.value !== undefined ? undefined : found;
  const control = {
    id,
    "aria-invalid": error === undefined ? undefined : true,
    "aria-describedby":
      [schema.description && `${id}-about`, error !== undefined && `${id}-error`].filter(Boolean).join(" ") ||
      undefined,
  } as const;
  const isNull = props.value === null && isNullable(schema);
  const about = schema.description && <small id={`${id}-about`}>{schema.description}</small>;
  const title = (
    <>
      {labelOf({ ...props, schema })}{" "}
      {props.required && !props.isEntry && <span className="required">required</span>}
    </>
  );
  const body = (
    <>
      {about}
      {isNull ? (
        <input className="null-value" readOnly value="null" {...control} />
      ) : (
        <Input {...props} schema={schema} depth={depth} control={control} />
      )}
      {isNullable(schema) && (
        <label className="check">
          <input
            type="checkbox"
            checked={isNull}
            onChange={({ target }) => props.onChange(target.checked ? null : undefined)}
          />
          <span>
            null <span className="visually-hidden">for {labelOf({ ...props, schema })}</span>
          </span>
        </label>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} className="error-text">
          {error}
        </p>
      )}
    </>
  );
  const className = `field ${error === undefined ? "" : "invalid-field"}`;
  return GROUPS.has(kind) && !isNull ? (
    <fieldset className={className}>
      <legend>{title}</legend>
      {body}
    </fieldset>
  ) : (
    <div className={className}>
      <label htmlFor={id}>{title}</label>
      {body}
    </div>
  );
}

/** One that may be left out is a button until it is wanted: it requires nothing, and a type that contains itself ends. */
function ObjectField({ name, path, schema, root, value, required, onChange, depth }: FieldProps) {
  if (value === undefined && !required)
    return (
      <button
        type="button"
        className="quiet"
        onClick={() => onChange(initialValue({ ...schema, default: undefined }, root, depth) ?? {})}
      >
        Fill in {labelOf({ name, schema })}
      </button>
    );
  return (
    <>
      {!required && (
        <button type="button" className="quiet" onClick={() => onChange(undefined)}>
          Leave out {labelOf({ name, schema })}
        </button>
      )}
      <Properties {...{ schema, root, path, depth, onChange }} value={isObject(value) ? value : {}} />
    </>
  );
}
