import { ToolError } from "../../src/errors.ts";
import { type Compile, DROPPED, type Dropped, type Part, type Scope, type Text } from "../../src/text.ts";

/** Just enough of the template language for tests of executors: `{{props.a.b}}`, `{{env.A}}`, `{!!props.a!!}`. */
export const compile: Compile = {
  text,
  value: (source) => ({ render: (scope) => renderValue(source, scope) }),
  path: () => {
    throw new Error("not needed here");
  },
  template: () => {
    throw new Error("not needed here");
  },
};

const PLACEHOLDER = /\{\{\s*([\w.]+)\s*\}\}|\{!!\s*([\w.]+)\s*!!\}/g;

function text(source: string): Text {
  const isNative = /^\{!!\s*[\w.]+\s*!!\}$/.test(source);
  const isSole = /^(?:\{\{\s*[\w.]+\s*\}\}|\{!!\s*[\w.]+\s*!!\})$/.test(source);
  const self: Text = {
    source,
    isConstant: source.search(PLACEHOLDER) < 0,
    isNative,
    render(scope) {
      const parts = self.parts(scope);
      return parts === DROPPED ? DROPPED : parts.map((part) => part.text).join("");
    },
    parts(scope) {
      const parts: Part[] = [];
      let end = 0;
      for (const match of source.matchAll(PLACEHOLDER)) {
        if (match.index > end) parts.push({ text: source.slice(end, match.index), origin: "author" });
        const value = read((match[1] ?? match[2])!, scope, isSole);
        if (value === DROPPED) return DROPPED;
        const origin = (match[1] ?? match[2])!.startsWith("env.") ? "env" : "props";
        parts.push({ text: typeof value === "string" ? value : JSON.stringify(value), origin });
        end = match.index + match[0].length;
      }
      if (end < source.length) parts.push({ text: source.slice(end), origin: "author" });
      return parts;
    },
    value(scope) {
      if (isNative) {
        const path = source.replace(/[{}!\s]/g, "");
        const value = read(path, scope, true);
        return value === DROPPED ? DROPPED : { value, origin: path.startsWith("env.") ? "env" : "props" };
      }
      const value = self.render(scope);
      return value === DROPPED ? DROPPED : { value, origin: self.isConstant ? "author" : "props" };
    },
  };
  return self;
}

function read(path: string, scope: Scope, isSole: boolean): unknown | Dropped {
  const [root, ...steps] = path.split(".") as ["props" | "env", ...string[]];
  if (isSole && root === "props" && scope.absent.has(steps[0]!)) return DROPPED;
  const value = steps.reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], scope[root]);
  if (value === undefined) throw new ToolError("template_missing", `Template variable not found: ${path}`);
  if (root === "env") scope.onEnv(value);
  return value;
}

function renderValue(source: unknown, scope: Scope): unknown | Dropped {
  if (typeof source === "string") {
    const rendered = text(source).value(scope);
    return rendered === DROPPED ? DROPPED : rendered.value;
  }
  if (Array.isArray(source)) return source.map((item) => renderValue(item, scope)).filter((item) => item !== DROPPED);
  if (typeof source !== "object" || source === null) return source;
  return Object.fromEntries(
    Object.entries(source)
      .map(([key, item]) => [key, renderValue(item, scope)] as const)
      .filter(([, item]) => item !== DROPPED),
  );
}
