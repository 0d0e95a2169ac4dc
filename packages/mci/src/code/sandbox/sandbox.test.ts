import { expect, test } from "vitest";
import { type CallOutcome, DEFAULT_CODE_LIMITS, runInSandbox } from "./sandbox.ts";

const SECRET = "s3cret-value";
process.env["MCI_SANDBOX_TEST_SECRET"] = SECRET;

const calls: { tool: string; input: unknown }[] = [];
async function call(tool: string, input: unknown): Promise<CallOutcome> {
  calls.push({ tool, input });
  if (tool === "fail") return { state: "error", error: { code: "http_status", message: "HTTP 404" } };
  if (tool === "hostile") return { state: "value", value: JSON.parse(HOSTILE) };
  if (tool === "slow") await new Promise((resolve) => setTimeout(resolve, 50));
  return { state: "value", value: { tool, input } };
}
/** What a server may return to whoever trusts it. */
const HOSTILE =
  '{"__proto__":{"polluted":true},"constructor":{"prototype":{"x":1}},"then":"not a function","toJSON":1}';

const run = (code: string, limits: Partial<typeof DEFAULT_CODE_LIMITS> = {}) =>
  runInSandbox(code, call, { ...DEFAULT_CODE_LIMITS, timeoutMs: 5000, ...limits });
const returned = async (code: string) => {
  const { value, error } = await run(code);
  return error === undefined ? JSON.parse(value ?? "null") : error;
};

test("[S-code] JavaScript and TypeScript run, tools side by side, and the console comes back", async () => {
  const outcome = await run(`
    interface Item { n: number }
    const items: Item[] = [1, 2, 3].map((n) => ({ n }));
    console.log("asking for", items);
    const began = await Promise.all(items.map((item) => tools.slow(item)));
    return began.map(({ input }) => input.n as number);`);
  expect(outcome).toEqual({ value: "[1,2,3]", console: 'asking for [{"n":1},{"n":2},{"n":3}]\n' });
});

test.each([
  ["a mistake in the syntax", "const a = 1;\nlet x = ;", { name: "SyntaxError", line: 2, column: 9 }],
  ["an exception", "\n\n  undefinedName.x", { name: "ReferenceError", line: 3 }],
  [
    "a failed tool",
    "const a = 1;\nawait tools.fail({})",
    { name: "ToolError", code: "http_status", line: 2 },
  ],
  [
    "TypeScript",
    "const a: number = 1;\nthrow new RangeError('no ' + a)",
    { name: "RangeError", message: "no 1", line: 2 },
  ],
  ["a value that is not an error", "throw 'text'", { message: "text" }],
])("[S-code-place] %s is reported with its place in the code", async (_, code, wanted) => {
  expect((await run(code)).error).toMatchObject(wanted);
});

test("[S-code] a failed tool can be caught, with its code", async () => {
  const code =
    "try { await tools.fail({}) } catch (e) { return [e instanceof ToolError, e.code, e.tool, e.message] }";
  expect(await returned(code)).toEqual([true, "http_status", "fail", "HTTP 404"]);
});

const ABSENT =
  "process require module exports fetch XMLHttpRequest WebSocket setTimeout setInterval setImmediate Deno Bun Buffer WebAssembly Worker parentPort std os bjson navigator __dirname __filename send print load gc scriptArgs".split(
    " ",
  );

test("[S-code-escape] nothing of Node.js, of the network or of a clock is there", async () => {
  const code = `return ${JSON.stringify(ABSENT)}.filter((name) => name in globalThis)`;
  expect(await returned(code)).toEqual([]);
});

test.each([
  ["constructor of this", "return this.constructor.constructor('return typeof process')()"],
  ["constructor of a tool", "return tools.get.constructor('return typeof process')()"],
  ["constructor of console.log", "return console.log.constructor.constructor('return typeof process')()"],
  [
    "constructor of a tool's result",
    "return (await tools.get({})).constructor.constructor('return typeof process')()",
  ],
  [
    "constructor of a tool's error",
    "try { await tools.fail({}) } catch (e) { return e.constructor.constructor('return typeof process')() }",
  ],
  ["constructor of a promise", "return tools.get({}).constructor.constructor('return typeof process')()"],
  [
    "async generator function",
    "return (await (async function*(){})().constructor.constructor.constructor('return typeof process')())",
  ],
  ["async function constructor", "return await (async () => {}).constructor('return typeof process')()"],
  ["indirect eval", "return (0, eval)('typeof process')"],
  ["Reflect.construct", "return Reflect.construct(Function, ['return typeof process'])()"],
  [
    "Error.prepareStackTrace",
    "let seen = 'undefined'; Error.prepareStackTrace = (_, frames) => { for (const f of frames ?? []) { try { seen = typeof f.getThis()?.process } catch {} } return '' }; new Error().stack; return seen",
  ],
  [
    "a caller's arguments",
    "function f() { return f.caller?.arguments } try { return typeof f()?.[0]?.process } catch { return 'undefined' }",
  ],
  ["dynamic import", "try { await import('node:fs'); return 'imported' } catch { return 'undefined' }"],
  [
    "static import text",
    "try { return typeof eval(\"import('fs')\").readFileSync } catch { return 'undefined' }",
  ],
  [
    "a proxy as an input",
    "const seen = []; await tools.get(new Proxy({}, { get: (_, k) => { seen.push(String(k)); return undefined }, ownKeys: () => [] })); return seen.includes('process') ? 'process' : 'undefined'",
  ],
])("[S-code-escape] %s leads nowhere", async (_, code) => {
  expect(await returned(code)).toBe("undefined");
});

test("[S-code-escape] what a server returns is data, also where it looks like more", async () => {
  expect(
    await returned(
      "const r = await tools.hostile({}); return [({}).polluted ?? 'clean', typeof r.then, Object.keys(r).sort()]",
    ),
  ).toEqual(["clean", "string", ["__proto__", "constructor", "then", "toJSON"]]);
});

test("[S-code-escape] built-ins that code replaces fool only the code", async () => {
  calls.length = 0;
  const tampered = `
    JSON.stringify = () => '{"tool":"evil"}'; JSON.parse = () => { throw new Error("x") };
    Map.prototype.get = () => { throw new Error("gone") }; Promise.prototype.then = function () { return this };
    Object.prototype.toJSON = () => "evil"; Array.prototype.map = () => ["evil"];
    Object.defineProperty(globalThis, "tools", { value: { get: 1 } });
    return 1;`;
  const outcome = await run(tampered);
  expect(outcome.error ?? outcome.value).toBeDefined();
  expect(calls).toEqual([]);
  // The next sandbox knows nothing of it.
  expect(await returned("return [JSON.stringify([1]), (await tools.get({ a: 1 })).input.a]")).toEqual([
    "[1]",
    1,
  ]);
});

test("[S-code-escape] a getter or toJSON of an input runs inside, once, and only its text leaves", async () => {
  calls.length = 0;
  await run(
    "let n = 0; await tools.get({ get a() { return ++n }, b: { toJSON: () => 'b' }, c: () => 1, d: Symbol('x'), e: undefined })",
  );
  expect(calls).toEqual([{ tool: "get", input: { a: 1, b: "b" } }]);
});

test("[S-code-env] no variable of the process is anywhere in the sandbox", async () => {
  const code = `
    const seen = new Set(); const queue = [globalThis, tools, console, ToolError, untilCommitted];
    let text = "";
    while (queue.length > 0 && seen.size < 20000) {
      const next = queue.pop();
      if ((typeof next !== "object" && typeof next !== "function") || next === null || seen.has(next)) { text += typeof next === "symbol" ? "" : "" + (Object(next) === next ? "" : next); continue; }
      seen.add(next);
      for (const key of Reflect.ownKeys(next)) { text += String(key); try { queue.push(next[key]) } catch {} }
      queue.push(Object.getPrototypeOf(next));
    }
    return [seen.size > 100, text.includes(${JSON.stringify(SECRET.slice(0, 4))} + ${JSON.stringify(SECRET.slice(4))}), text.includes("MCI_SANDBOX" + "_TEST")];`;
  expect(await returned(code)).toEqual([true, false, false]);
});

test.each([
  ["an endless loop", "for (;;) {}"],
  ["an endless loop that catches", "for (;;) { try { for (;;) {} } catch {} finally { continue } }"],
  ["promises without end", "const f = async () => { for (;;) await null }; f(); f(); await f()"],
  [
    "microtasks that multiply",
    "const f = () => { Promise.resolve().then(f); Promise.resolve().then(f) }; f(); await new Promise(() => {})",
  ],
  ["an async generator without end", "async function* g() { for (;;) yield 1 } for await (const _ of g());"],
  ["a slow regular expression", "/^(a+)+$/.test('a'.repeat(50) + 'b')"],
  ["a slow sort", "const a = Array.from({ length: 1e6 }, (_, i) => -i); for (;;) a.sort(() => 1)"],
  ["a large power", "let x = 3n; for (;;) x = x * x"],
  ["a getter in the returned value", "return { get a() { for (;;) {} } }"],
  ["a toJSON of an input", "await tools.get({ toJSON() { for (;;) {} } })"],
  ["a proxy that lies", "return new Proxy([], { get: (_, k) => (k === 'length' ? 1e15 : 0) })"],
])("[S-code-limits] %s ends in time", async (_, code) => {
  const began = performance.now();
  const { error } = await run(code, { timeoutMs: 150 });
  expect(error).toBeDefined();
  expect(performance.now() - began).toBeLessThan(4000);
});

test.each([
  ["strings", "const a = []; for (;;) a.push('x'.repeat(1e6) + a.length)"],
  ["one string", "let s = 'x'; for (;;) s += s"],
  ["arrays", "const a = []; for (;;) a.push(new Array(1e5).fill(a.length))"],
  ["an ArrayBuffer", "return new ArrayBuffer(2 ** 31 - 1).byteLength"],
  ["a deep object", "let o = {}; for (;;) o = { o }"],
  ["recursion", "const f = () => f() + 1; return f()"],
  ["a deep array to print", "let a = []; for (let i = 0; i < 1e6; i++) a = [a]; return a"],
])("[S-code-limits] memory: %s", async (_, code) => {
  const { error } = await run(code, { memoryBytes: 16 * 1024 * 1024 });
  expect(error?.message).toMatch(/memory|stack|too large|invalid|length|long|characters/i);
});

test.each([
  ["a function", "const f = () => f() + 1; f()"],
  ["a getter", "const o = { get a() { return o.a } }; o.a"],
  ["a callback of a sort", "const f = () => [2, 1].sort(f); f()"],
  ["generated code", "const f = () => eval('f()'); f()"],
  ["proxies in proxies", "let p = {}; for (let i = 0; i < 20_000; i++) p = new Proxy(p, {}); p.x"],
  ["parentheses", "eval('('.repeat(60_000) + 1 + ')'.repeat(60_000))"],
  ["arrays in code", "eval('['.repeat(60_000) + 1 + ']'.repeat(60_000))"],
  ["a JSON text", "JSON.parse('['.repeat(1e6) + ']'.repeat(1e6))"],
])(
  "[S-code-limits] recursion of %s is an error that code can catch, and goes on after it",
  async (_, code) => {
    expect(
      await returned(`try { ${code} } catch (e) { return [e.name, await tools.get({ a: 1 })] }`),
    ).toEqual(["RangeError", { tool: "get", input: { a: 1 } }]);
  },
);

test("[S-code-limits] output and calls are limited, and what is missing is said", async () => {
  const printed = await run("for (let i = 0; i < 1000; i++) console.log('x'.repeat(100))", {
    maxOutputChars: 1000,
  });
  expect(printed.console).toHaveLength(
    1000 + "\n… 100000 more characters were printed and are not shown.".length,
  );
  expect((await run("return 'x'.repeat(2000)", { maxOutputChars: 1000 })).error?.message).toContain(
    "may return 1000",
  );
  calls.length = 0;
  const flood = await run("for (let i = 0; i < 100; i++) await tools.get({ i })", { maxCalls: 7 });
  expect(flood.error?.message).toContain("at most 7 times");
  expect(calls).toHaveLength(7);
  const many = await run("await Promise.all(Array.from({ length: 5000 }, (_, i) => tools.get({ i })))", {
    maxCalls: 50,
  });
  expect(many.error?.message).toContain("at most 50 times");
  const unawaited = await run("tools.slow({}); return 1");
  expect(unawaited.console).toContain("1 calls were still running");
  expect((await run(`await tools.get({ a: "x".repeat(1_500_000) })`)).error?.message).toContain(
    "may have 1000000",
  );
});

test("[S-code-limits] inputs that wait outside of the sandbox are limited together, and so are sandboxes", async () => {
  const flood = await run(
    "const s = 'x'.repeat(900_000); await Promise.all(Array.from({ length: 7 }, (_, i) => tools.slow({ s, i })))",
    { timeoutMs: 60_000 },
  );
  expect(flood.error?.message).toContain("together may have 5000000");
  const [sleepers, woken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let begun = 0;
  const sleep = async (): Promise<CallOutcome> => {
    if (++begun === 8) woken.resolve();
    await sleepers.promise;
    return { state: "value", value: 1 };
  };
  const all = Array.from({ length: 10 }, () =>
    runInSandbox("return await tools.sleep()", sleep, DEFAULT_CODE_LIMITS),
  );
  await woken.promise;
  expect(begun).toBe(8);
  sleepers.resolve();
  expect((await Promise.all(all)).map(({ value }) => value)).toEqual(Array(10).fill("1"));
});

test("[S-code-place] a stack that code made up names no line before the first", async () => {
  const { error } = await run("const e = new Error('m'); e.stack = 'at code.js:0:0'; throw e");
  expect(error?.line).toBe(1);
});

test.each([
  ["ends the function around it", "}), 5; (async () => { return typeof process", "undefined"],
  ["replaces what the console joins with", "Array.prototype.join = () => ({}); console.log(1); return 1", 1],
  ["returns a thenable in a thenable", "return { then(r) { r({ then(q) { q(42) } }) } }", 42],
])("[S-code-escape] code that %s stays inside", async (_, code, value) => {
  expect(await returned(code)).toBe(value);
});

test.each([
  ["parentheses", `return ${"(".repeat(60_000)}1${")".repeat(60_000)}`],
  ["types", `let a: ${"Array<".repeat(20_000)}number${">".repeat(20_000)};`],
  ["a static import", "import fs from 'fs'; return 1"],
])("[S-code-limits] %s that cannot be compiled are an error of the code", async (_, code) => {
  expect((await run(code)).error?.name).toMatch(/RangeError|SyntaxError|InternalError/);
});

test("[S-code-limits] code that waits for nothing ends, and a cancelled call ends at once", async () => {
  expect((await run("await new Promise(() => {})")).error?.message).toContain("never happens");
  const controller = new AbortController();
  const running = runInSandbox("for (;;) {}", call, DEFAULT_CODE_LIMITS, controller.signal);
  controller.abort();
  expect((await running).error?.name).toBe("AbortError");
});
