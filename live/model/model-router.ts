import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface ModelRouter {
  /** With /v1. */
  readonly url: string;
  close(): void;
}

/** One address for several model servers, by the name in the request; what names no model goes to the first. */
export async function startModelRouter(urls: Readonly<Record<string, string>>): Promise<ModelRouter> {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { model = "" } = (body === "" ? {} : JSON.parse(body)) as { model?: string };
    const base = urls[model] ?? Object.values(urls)[0]!;
    const sent = body === "" ? {} : { body, headers: { "content-type": "application/json" } };
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    try {
      const reply = await fetch(`${new URL(base).origin}${request.url}`, {
        method: request.method!,
        signal: gone.signal,
        ...sent,
      });
      response.writeHead(reply.status, { "content-type": "application/json" }).end(await reply.text());
    } catch (error) {
      response
        .writeHead(502, { "content-type": "application/json" })
        .end(JSON.stringify({ error: { message: (error as Error).message } }));
    }
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, close: () => server.close() };
}
