const MAX_LENGTH = 128;

/**
 * The name each tool is served by. MCP allows letters, digits, `_`, `-` and `.`, up to 128 of them; other characters
 * become `_`, and a number keeps names apart. Names that are valid stay as they are.
 */
export function servedNames(names: readonly string[]): Map<string, string> {
  const valid = names.filter(isValid);
  const taken = new Set(valid);
  const served = new Map(valid.map((name) => [name, name]));
  for (const name of names) {
    if (served.has(name)) continue;
    const base = name.replace(/[^A-Za-z0-9_.-]/gu, "_").slice(0, MAX_LENGTH);
    let candidate = base;
    for (let number = 2; taken.has(candidate); number++) {
      const suffix = `_${number}`;
      candidate = base.slice(0, MAX_LENGTH - suffix.length) + suffix;
    }
    taken.add(candidate);
    served.set(name, candidate);
  }
  return served;
}

function isValid(name: string): boolean {
  return /^[A-Za-z0-9_.-]{1,128}$/.test(name);
}
