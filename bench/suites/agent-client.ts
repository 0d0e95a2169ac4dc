/** What agents send, and when the first byte of the response comes. */
import { type Agent, request } from "node:http";

const parameters = {
  type: "object",
  properties: { path: { type: "string" }, recursive: { type: "boolean" } },
  required: ["path"],
};
const SYSTEM = "You are an agent that tidies up files. Think before you delete anything. ".repeat(60);
const PROMPT = "Delete a.txt";
const NAMES = ["delete_file", "read_file", "list_files", "move_file", "run_command", "search"];

export interface AgentProtocol {
  readonly name: string;
  readonly path: string;
  readonly dialect: "openai" | "anthropic";
  /** A request of a few kilobytes, with six tools, as agents send them. */
  body(model: string): object;
}

export const PROTOCOLS: readonly AgentProtocol[] = [
  {
    name: "chat completions",
    path: "/chat/completions",
    dialect: "openai",
    body: (model) => ({
      model,
      stream: true,
      stream_options: { include_usage: true },
      messages: [
        { role: "system", content: SYSTEM },
        { role: "user", content: PROMPT },
      ],
      tools: NAMES.map((name) => ({ type: "function", function: { name, description: name, parameters } })),
    }),
  },
  {
    name: "Responses",
    path: "/responses",
    dialect: "openai",
    body: (model) => ({
      model,
      stream: true,
      store: false,
      instructions: SYSTEM,
      input: [{ type: "message", role: "user", content: [{ type: "input_text", text: PROMPT }] }],
      tools: NAMES.map((name) => ({ type: "function", name, description: name, parameters, strict: false })),
    }),
  },
  {
    name: "Messages",
    path: "/messages",
    dialect: "anthropic",
    body: (model) => ({
      model,
      stream: true,
      max_tokens: 1000,
      system: SYSTEM,
      messages: [{ role: "user", content: PROMPT }],
      tools: NAMES.map((name) => ({ name, description: name, input_schema: parameters })),
    }),
  },
];

export interface Timed {
  /** Milliseconds to the first byte of the body, and to its end. */
  readonly firstByte: number;
  readonly whole: number;
  readonly text: string;
}

/** Sends one request of an agent. Rejects where the status is not 200. */
export function send(
  url: string,
  body: object,
  { agent, headers = {} }: { readonly agent: Agent; readonly headers?: Readonly<Record<string, string>> },
): Promise<Timed> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const sent = request(
      url,
      {
        method: "POST",
        agent,
        headers: {
          ...{ "content-type": "application/json", authorization: "Bearer key", "x-api-key": "key" },
          ...{ "anthropic-version": "2023-06-01", ...headers },
        },
      },
      (response) => {
        let firstByte: number | undefined;
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => {
          firstByte ??= performance.now() - started;
          text += chunk;
        });
        response.on("error", reject).on("end", () => {
          const whole = performance.now() - started;
          if (response.statusCode === 200) resolve({ firstByte: firstByte ?? whole, whole, text });
          else reject(new Error(`${url} responded with ${response.statusCode}: ${text.slice(0, 300)}`));
        });
      },
    );
    sent.on("error", reject).end(JSON.stringify(body));
  });
}
