/** Characters of a part of a schema; what is longer is left out, with a word about it. */
const MAX_CHARACTERS = 4000;

/**
 * The part of an input schema that a refused input breaks: the properties that the message names, and what is required.
 * Undefined if the message names none.
 */
export function violatedSchema(
  schema: { readonly properties: object; readonly required?: readonly string[] },
  message: string,
): string | undefined {
  const named = new Set(
    [...message.matchAll(/^- ([^\n:]+):/gm)].map(([, field]) => /^[^.[]*/.exec(field!)![0]),
  );
  const properties = Object.entries(schema.properties).filter(([name]) => named.has(name));
  if (properties.length === 0) return undefined;
  const definitions = (schema as { $defs?: object }).$defs;
  const part = {
    properties: Object.fromEntries(properties),
    ...(schema.required === undefined ? {} : { required: schema.required }),
  };
  const usesDefinitions = definitions !== undefined && JSON.stringify(part).includes('"#/$defs/');
  const whole = JSON.stringify(usesDefinitions ? { ...part, $defs: definitions } : part);
  if (whole.length <= MAX_CHARACTERS) return whole;
  return `${whole.slice(0, MAX_CHARACTERS)}… (${whole.length - MAX_CHARACTERS} more characters; search_tools shows all)`;
}
