/**
 * What code finds in its sandbox: `tools`, `console`, `untilCommitted`. This text runs inside the sandbox before the code
 * does. Code may tamper with all of it and fools only itself: the thread outside checks and counts whatever arrives.
 */
export const PRELUDE = `(function (send) {
  "use strict";
  const { parse, stringify } = JSON;
  const pending = new Map();
  const planned = new WeakMap();
  let nextId = 0;
  let readingInput = false;

  class ToolError extends Error {
    constructor(message, code, tool) {
      super(message);
      this.name = "ToolError";
      this.code = code;
      this.tool = tool;
    }
  }
  class PlanCut extends Error {
    constructor(message) {
      super(message);
      this.name = "PlanCut";
      this.cut = true;
    }
  }

  const label = (number) => "<result of write " + number + ", known after the commit>";
  const cut = (number) => {
    send("cut", 0, "", "");
    throw new PlanCut("This needs the result of write " + number + ", which is known only after the plan is committed.");
  };
  const placeholder = (number) => {
    const result = new Proxy(Object.create(null), {
      get(_, key) {
        if (key === "then") return undefined;
        if (key === "toJSON") return () => (readingInput ? cut(number) : label(number));
        return cut(number);
      },
      has: () => cut(number),
      ownKeys: () => (readingInput ? cut(number) : []),
    });
    planned.set(result, number);
    return result;
  };

  const inputText = (input) => {
    readingInput = true;
    try {
      return stringify(input === undefined ? {} : input) ?? "{}";
    } finally {
      readingInput = false;
    }
  };
  const call = (tool, input) => {
    const place = new Error().stack;
    return new Promise((resolve, reject) => {
      const json = inputText(input);
      const id = nextId++;
      pending.set(id, { tool, resolve, reject, place });
      send("call", id, tool, json);
    });
  };
  const settle = (id, state, json) => {
    const { tool, resolve, reject, place } = pending.get(id);
    pending.delete(id);
    if (state === "value") return resolve(parse(json));
    if (state === "planned") return resolve(placeholder(Number(json)));
    const { message, code } = parse(json);
    const error = code === "plan_cut" ? new PlanCut(message) : new ToolError(message, code, tool);
    error.stack = place;
    reject(error);
  };

  const format = (value) => {
    if (typeof value === "string") return value;
    if (typeof value === "object" && value !== null && planned.has(value)) return label(planned.get(value));
    if (value instanceof Error) return value.name + ": " + value.message;
    try {
      return stringify(value) ?? String(value);
    } catch {
      return String(value);
    }
  };
  const print = (...values) => void send("print", 0, values.map(format).join(" "), "");
  globalThis.console = { log: print, info: print, warn: print, error: print, debug: print };
  globalThis.ToolError = ToolError;
  globalThis.untilCommitted = () => call("", {});
  globalThis.tools = new Proxy(Object.create(null), {
    get: (_, name) => (typeof name !== "string" || name === "then" ? undefined : (input) => call(name, input)),
    set: () => false,
  });

  const describe = (thrown) => {
    if (!(thrown instanceof Error)) return { name: "Error", message: format(thrown), stack: "" };
    const { name, message, code, stack, cut } = thrown;
    return { name: String(name), message: String(message), code: code && String(code), stack: String(stack), cut: cut === true };
  };
  const run = (code) => {
    const returned = (value) => send("return", 0, value === undefined ? "" : (stringify(value) ?? ""), "");
    const failed = (thrown) => send("throw", 0, stringify(describe(thrown)), "");
    Promise.resolve().then(code).then(returned).catch(failed);
  };
  return [settle, run];
})`;
