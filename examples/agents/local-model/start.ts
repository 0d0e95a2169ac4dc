import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { anthropic } from "./anthropic.ts";
import { type Dialect, type Json, Refused, type Script } from "./dialect.ts";
import { gemini } from "./gemini.ts";
import { openAiChat } from "./openai-chat.ts";
import { openAiResponses } from "./openai-responses.ts";

/*
 * A model that follows a script, behind servers that speak the wire formats of OpenAI, Anthropic and Gemini and refuse
 * what those refuse. It thinks nothing: it shows that tools and results arrive as each provider wants them.
 */

const DIALECTS: readonly (readonly [path: RegExp, dialect: Dialect])[] = [
  [/^\/openai\/v1\/chat\/completions$/, openAiChat],
  [/^\/openai\/v1\/responses$/, openAiResponses],
  [/^\/anthropic\/v1\/messages$/, anthropic],
  [/^\/gemini\/(v1beta|v1)\/models\/[^/]+:(generateContent|streamGenerateContent)$/, gemini],
];

export interface LocalModel {
  /** Settings for the SDKs of OpenAI and for `createOpenAI` of the AI SDK. */
  readonly openai: { readonly baseURL: string; readonly apiKey: string };
  readonly anthropic: { readonly baseURL: string; readonly apiKey: string };
  readonly google: { readonly apiKey: string; readonly httpOptions: { readonly baseUrl: string } };
  /** Every body that arrived, and why it was refused, if it was. */
  readonly requests: { readonly path: string; readonly body: Json; refused?: string }[];
  close(): void;
}

export async function startLocalModel(script: Script): Promise<LocalModel> {
  const requests: LocalModel["requests"] = [];
  const server = createServer(async (request, response) => {
    const path = (request.url ?? "/").split("?")[0]!;
    const dialect = DIALECTS.find(([pattern]) => pattern.test(path))?.[1];
    if (dialect === undefined) return send(response, 404, { error: { message: `No such path: ${path}` } });
    const body = JSON.parse(await textOf(request));
    const record: LocalModel["requests"][number] = { path, body };
    requests.push(record);
    try {
      const headers = new Headers(request.headers as Record<string, string>);
      const conversation = dialect.read(body, { headers, path });
      const turn = script(conversation);
      if (conversation.stream) stream(response, dialect.stream(turn, body));
      else send(response, 200, dialect.respond(turn, body));
    } catch (error) {
      record.refused = (error as Error).message;
      send(response, error instanceof Refused ? 400 : 500, dialect.refuse(record.refused));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A program that has said what it had to say may end.
  server.unref();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    openai: { baseURL: `${url}/openai/v1`, apiKey: "local" },
    anthropic: { baseURL: `${url}/anthropic`, apiKey: "local" },
    google: { apiKey: "local", httpOptions: { baseUrl: `${url}/gemini` } },
    requests,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function send(response: ServerResponse, status: number, body: Json): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function stream(response: ServerResponse, events: ReturnType<Dialect["stream"]>): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const { event, data } of events) {
    const text = typeof data === "string" ? data : JSON.stringify(data);
    response.write(`${event === undefined ? "" : `event: ${event}\n`}data: ${text}\n\n`);
  }
  response.end();
}
