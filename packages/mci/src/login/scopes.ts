/** All scopes of several lists, each once; undefined if there are none. */
export function scopeUnion(...lists: readonly (string | undefined)[]): string | undefined {
  const scopes = new Set(lists.flatMap((list) => list?.split(" ") ?? []).filter((scope) => scope !== ""));
  return scopes.size === 0 ? undefined : [...scopes].join(" ");
}

/** What a server said in `WWW-Authenticate` when a token did not allow enough; undefined if it said something else. */
export function missingScope(challenge: string): string | undefined {
  if (!/\berror\s*=\s*"?insufficient_scope\b/i.test(challenge)) return undefined;
  const [, quoted, plain] = /\bscope\s*=\s*(?:"([^"\\]{0,2000})"|([^\s,"]{1,2000}))/i.exec(challenge) ?? [];
  const scopes = (quoted ?? plain ?? "")
    .split(" ")
    .filter((scope) => /^[\x21\x23-\x5B\x5D-\x7E]+$/.test(scope));
  return scopes.length === 0 ? "" : scopes.join(" ");
}
