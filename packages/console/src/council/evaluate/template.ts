/** `{{city}}`; a name has no braces and no line breaks. */
const VARIABLE = /\{\{([^{}\n]{1,200})\}\}/g;

export function variablesOf(template: string): readonly string[] {
  return [...new Set([...template.matchAll(VARIABLE)].map(([, name]) => name!.trim()))];
}

/** Fills in the variables. A value is text: what looks like a variable in it stays as it is. */
export function fillIn(template: string, variables: ReadonlyMap<string, string>): string {
  return template.replace(VARIABLE, (whole, name: string) => variables.get(name.trim()) ?? whole);
}
