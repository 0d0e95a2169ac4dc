/** A type, and the types that it consists of other than as a part of an object or a list. */
export interface Declaration {
  readonly name: string;
  readonly comment: string;
  readonly type: string;
  readonly aliases: ReadonlySet<string>;
}

/** Types that are nothing but each other; TypeScript refuses them, and they say nothing. */
export function circularNames(declarations: readonly Declaration[]): ReadonlySet<string> {
  const left = new Map(declarations.map(({ name, aliases }) => [name, new Set(aliases)]));
  // A name that does not lead to one that is left leads out of every circle.
  const users = new Map<string, string[]>();
  for (const { name, aliases } of declarations)
    for (const alias of aliases) users.set(alias, [...(users.get(alias) ?? []), name]);
  const ready = declarations.filter(({ aliases }) => ![...aliases].some((alias) => left.has(alias)));
  const pending = ready.map(({ name }) => name);
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    left.delete(name);
    for (const user of users.get(name) ?? []) {
      const aliases = left.get(user);
      aliases?.delete(name);
      if (aliases !== undefined && ![...aliases].some((alias) => left.has(alias))) pending.push(user);
    }
  }
  return new Set(left.keys());
}
