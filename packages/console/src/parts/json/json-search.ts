/** Values that are looked at, and hits that are marked; a result of ten megabytes must not freeze the page. */
const MAX_LOOKED_AT = 1_000_000;
const MAX_FOUND = 500;

export interface JsonHits {
  readonly count: number;
  /** Whether there may be more. */
  readonly isCut: boolean;
  /** The paths of what was found, and of everything around it. */
  readonly paths: ReadonlySet<string>;
}

/** Keys and values that have one of the words in them. */
export function findInJson(value: unknown, search: string): JsonHits {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const paths = new Set<string>();
  let [count, left] = [0, MAX_LOOKED_AT];
  const path: (string | number)[] = [];
  const visit = (each: unknown): void => {
    if (left-- <= 0 || count >= MAX_FOUND) return;
    const key = path.at(-1);
    const isLeaf = typeof each !== "object" || each === null;
    const text = `${key ?? ""} ${isLeaf ? String(each) : ""}`.toLowerCase();
    if (words.some((word) => text.includes(word))) {
      count += 1;
      for (let length = 0; length <= path.length; length++) paths.add(pathText(path.slice(0, length)));
    }
    if (isLeaf) return;
    for (const [name, child] of Object.entries(each)) {
      path.push(Array.isArray(each) ? Number(name) : name);
      visit(child);
      path.pop();
    }
  };
  visit(value);
  return { count, isCut: left <= 0 || count >= MAX_FOUND, paths };
}

/** As in JavaScript and jq: `.items[0]["first name"]`. */
export function pathText(path: readonly (string | number)[]): string {
  return path
    .map((key) =>
      typeof key === "number"
        ? `[${key}]`
        : /^[A-Za-z_$][\w$]*$/.test(key)
          ? `.${key}`
          : `[${JSON.stringify(key)}]`,
    )
    .join("");
}
