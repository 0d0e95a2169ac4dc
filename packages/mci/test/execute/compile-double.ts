import { ToolError } from "../../src/errors.ts";
import { type Compile, DROPPED, type Part, type Scope, type Template, type Text } from "../../src/text.ts";

const PLACEHOLDER = /\{\{\s*([\w.]+)\s*\}\}|\{!!\s*([\w.]+)\s*!!\}/g;

function lookup(path: string, scope: Scope) {
  const [root, ...keys] = path.split(".");
  const origin = root === "env" ? "env" : "props";
  let value: any = root === "env" ? scope.env : scope.props;
  for (const key of keys) value = value?.[key];
  if (origin === "env") scope.onEnv(value);
  return value === undefined ? undefined : { value, origin } as const;
}
const print = (v: unknown) => (typeof v === "string" ? v : JSON.stringify(v));

function text(source: string): Text {
  const native = /^\{!!\s*([\w.]+)\s*!!\}$/.exec(source)?.[1];
  const sole = /^\{\{\s*props\.(\w+)\s*\}\}$/.exec(source)?.[1] ?? /^\{!!\s*props\.(\w+)\s*!!\}$/.exec(source)?.[1];
  const dropped = (scope: Scope) => sole !== undefined && scope.absent.has(sole);
  const parts = (scope: Scope): Part[] | typeof DROPPED => {
    if (dropped(scope)) return DROPPED;
    const out: Part[] = [];
    let at = 0;
    for (const m of source.matchAll(PLACEHOLDER)) {
      if (m.index > at) out.push({ text: source.slice(at, m.index), origin: "author" });
      const path = (m[1] ?? m[2])!;
      const found = lookup(path, scope);
      if (!found) throw new ToolError("template_missing", `Template variable not found: ${path}`);
      out.push({ text: print(found.value), origin: found.origin });
      at = m.index + m[0].length;
    }
    if (at < source.length) out.push({ text: source.slice(at), origin: "author" });
    return out;
  };
  return {
    source,
    isConstant: !/\{\{|\{!!/.test(source),
    isNative: native !== undefined,
    parts,
    render(scope) {
      const p = parts(scope);
      return p === DROPPED ? DROPPED : p.map((x) => x.text).join("");
    },
    value(scope) {
      if (dropped(scope)) return DROPPED;
      if (native === undefined) return { value: (parts(scope) as Part[]).map((x) => x.text).join(""), origin: "props" };
      const found = lookup(native, scope);
      if (!found) throw new ToolError("template_missing", `Template variable not found: ${native}`);
      return found;
    },
  };
}

function template(source: string): Template {
  const INCLUDE = /@include\("([^"]+)"\)/g;
  const includes = [...source.matchAll(INCLUDE)].map((m) => m[1]!);
  return {
    includes,
    async link(load, file) {
      const texts = new Map<string, Template>();
      for (const path of includes) {
        const loaded = await load(path, file);
        const inner = template(loaded.text);
        texts.set(path, inner.includes.length ? await inner.link(load, loaded.file) : inner);
      }
      return { ...template(source), render: (scope) => text(source.replace(INCLUDE, (_, p) => texts.get(p)!.render(scope))).render(scope) as string };
    },
    render: (scope) => text(source).render(scope) as string,
  };
}

export const compile: Compile = {
  text,
  value: (source) => ({ render: () => source }),
  path: (source) => ({ resolve: (scope) => lookup(source, scope) }),
  template,
};
