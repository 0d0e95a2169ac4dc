/** Requests of agents that cost a service as much as a request can, in each protocol that agents speak. */

export interface HostileRequest {
  readonly path: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Conversation {
  /** What the user says, message by message. */
  readonly said?: readonly string[];
  readonly tools?: readonly { readonly name: string; readonly schema: unknown }[];
  readonly more?: object;
}

const many = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i));
const list = (items: unknown) => ({ type: "object", properties: { list: { type: "array", items } } });
const tool = (name: string, schema: unknown = {}) => ({ name, schema });
/** As long and with as many stars as a setting may have. */
const PATTERN = `${"*a".repeat(8)}${"a".repeat(80)}b`;
const call = (i: number) => `call_${i}`;

const CONVERSATIONS: Readonly<Record<string, Conversation>> = {
  "a long conversation": { said: many(30_000, () => "x"), tools: [tool("t")] },
  "a very long message": { said: ['x"\\'.repeat(1_500_000)], tools: [tool("t")] },
  "many tools": {
    tools: many(3000, (i) =>
      tool(`t${i}`, { type: "object", properties: { a: { type: "string", pattern: "^(a|a){60}$" } } }),
    ),
  },
  "a tool of many alternatives": {
    tools: [tool("hostile", list({ anyOf: many(1900, (i) => ({ required: [`k${i}`] })) }))],
  },
  "a tool with a slow pattern": {
    tools: [tool("hostile", list({ type: "string", pattern: "^(?:a?){60}a{60}b$" }))],
  },
  "a deep schema": { tools: [tool("t", JSON.parse(`${'{"items":'.repeat(90)}{}${"}".repeat(90)}`))] },
  "hostile arguments": { tools: [tool("hostile")], said: ["many items"] },
  "a hostile command": { tools: [tool("hostile")], said: ["one text"] },
  "many patterns": {
    tools: many(300, (i) => tool(`t${"a".repeat(60)}${i}`)),
    more: { config: { act: { read_only: many(100, () => PATTERN) } } },
  },
  "many patterns for many tools": {
    tools: many(5000, (i) => tool(`t${"a".repeat(60)}${i}`)),
    more: { config: { act: { read_only: many(100, () => PATTERN) } } },
  },
  "a number of votes for many patterns": {
    tools: many(900, (i) => tool(`t${"a".repeat(60)}${i}`)),
    more: {
      config: { act: { k_by_tool: Object.fromEntries(many(9000, (i) => [`${PATTERN.slice(8)}${i}`, 2])) } },
    },
  },
  "patterns for hostile arguments": {
    tools: [tool("hostile")],
    said: ["many keys"],
    more: { config: { act: { exact: many(100, () => PATTERN), free: many(100, () => PATTERN) } } },
  },
  "a choice of many tools": {
    tools: many(10_000, (i) => tool(`t${i}`)),
    more: {
      tool_choice: { type: "allowed_tools", tools: many(10_000, (i) => ({ name: `t${i}` })) },
    },
  },
  "a tool with a very long name": { tools: [tool("t".repeat(900_000))] },
  "a stream of many alternatives": {
    tools: [tool("hostile", list({ anyOf: many(1900, (i) => ({ required: [`k${i}`] })) }))],
    said: ["many items"],
    more: { stream: true },
  },
};

/** How a protocol writes a conversation, and a step of it in which a tool was called and gave a result. */
const PROTOCOLS: Readonly<Record<string, (conversation: Conversation) => HostileRequest>> = {
  "/v1/chat/completions": ({ said = ["x"], tools = [], more }) =>
    request("/v1/chat/completions", {
      messages: said.map((content) => ({ role: "user", content })),
      tools: tools.map(({ name, schema }) => ({
        type: "function",
        function: { name, parameters: schema },
      })),
      ...more,
    }),
  "/v1/responses": ({ said = ["x"], tools = [], more }) =>
    request("/v1/responses", {
      input: said.map((content) => ({ role: "user", content })),
      tools: tools.map(({ name, schema }) => ({ type: "function", name, parameters: schema })),
      ...more,
    }),
  "/v1/messages": ({ said = ["x"], tools = [], more }) =>
    request("/v1/messages", {
      max_tokens: 100,
      messages: said.map((content) => ({ role: "user", content })),
      tools: tools.map(({ name, schema }) => ({ name, input_schema: schema })),
      ...more,
    }),
};

function request(path: string, body: object): HostileRequest {
  return { path, body: JSON.stringify({ model: "act", ...body }) };
}

/** What only one protocol has. */
const OF_ONE: Readonly<Record<string, HostileRequest>> = {
  "calls without end in /v1/chat/completions": request("/v1/chat/completions", {
    messages: [
      {
        role: "assistant",
        tool_calls: many(3000, (i) => ({
          id: call(i),
          type: "function",
          function: { name: "t", arguments: "{".repeat(200) },
        })),
      },
      ...many(3000, (i) => ({ role: "tool", tool_call_id: call(i), content: "x" })),
      { role: "user", content: "x" },
    ],
  }),
  "calls without end in /v1/responses": request("/v1/responses", {
    input: [
      ...many(6000, (i) => ({
        type: "function_call",
        call_id: call(i),
        name: "t",
        arguments: "[".repeat(100),
      })),
      ...many(6000, (i) => ({ type: "function_call_output", call_id: call(i), output: "x" })),
    ],
  }),
  "namespaces in namespaces in /v1/responses": request("/v1/responses", {
    input: "x",
    tools: [
      many(40, (i) => i).reduce<object>(
        (inner, i) => ({ type: "namespace", name: `n${i}`.repeat(1000), tools: [inner] }),
        { type: "namespace", name: "n", tools: many(3000, (i) => ({ type: "function", name: `t${i}` })) },
      ),
    ],
  }),
  "a namespace with a very long name in /v1/responses": request("/v1/responses", {
    input: "x",
    tools: [
      {
        type: "namespace",
        name: "n".repeat(800_000),
        tools: many(5000, (i) => ({ type: "function", name: `t${i}` })),
      },
    ],
    config: { act: { read_only: ["*t1*"] } },
  }),
  "calls without end in /v1/messages": request("/v1/messages", {
    max_tokens: 100,
    messages: [
      { role: "user", content: "x" },
      {
        role: "assistant",
        content: many(3000, (i) => ({ type: "tool_use", id: call(i), name: "t", input: { a: [[[i]]] } })),
      },
      {
        role: "user",
        content: many(3000, (i) => ({ type: "tool_result", tool_use_id: call(i), content: "x" })),
      },
    ],
  }),
  "a system text of many blocks in /v1/messages": request("/v1/messages", {
    max_tokens: 100,
    system: many(15_000, () => ({ type: "text", text: "x" })),
    messages: [{ role: "user", content: "x" }],
  }),
  "many pictures in /v1/messages/count_tokens": request("/v1/messages/count_tokens", {
    messages: [
      {
        role: "user",
        content: many(800, () => ({ type: "image", source: { type: "base64", data: "A".repeat(1001) } })),
      },
    ],
  }),
};

export const AGENT_REQUESTS: Readonly<Record<string, HostileRequest>> = {
  ...Object.fromEntries(
    Object.entries(PROTOCOLS).flatMap(([path, write]) =>
      Object.entries(CONVERSATIONS).map(([name, conversation]) => [
        `an agent with ${name} in ${path}`,
        write(conversation),
      ]),
    ),
  ),
  ...OF_ONE,
};

/** One that is usual in each protocol. */
export const WARM_UP_AGENTS = Object.values(PROTOCOLS).map((write) => write({ tools: [tool("t")] }));
