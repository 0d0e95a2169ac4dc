import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** What the server expects. */
export const SECRETS = {
  API_KEY: "key-7f3a",
  TOKEN: "token-19bc",
  USERNAME: "admin",
  PASSWORD: "pässword",
  CLIENT_ID: "client",
  CLIENT_SECRET: "secret-e5d0",
};

/** A small API on loopback with a different auth type on each endpoint. */
export async function startNotesServer(): Promise<{ url: string; tokensIssued(): number; close(): void }> {
  let tokens = 0;
  let reports = 0;

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    const body = await read(request);
    const send = (status: number, data: unknown) => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(data));
    };
    const authorization = request.headers.authorization;
    const basic = `Basic ${Buffer.from(`${SECRETS.USERNAME}:${SECRETS.PASSWORD}`).toString("base64")}`;

    switch (`${request.method} ${pathname}`) {
      case "GET /notes":
        if (request.headers["x-api-key"] !== SECRETS.API_KEY) return send(401, { error: "wrong key" });
        return send(200, { query: [...searchParams], found: [] });
      case "POST /notes":
        if (authorization !== `Bearer ${SECRETS.TOKEN}`) return send(401, { error: "wrong token" });
        return send(201, { id: "n1", note: JSON.parse(body) });
      case "POST /accounts":
        if (authorization !== basic) return send(401, { error: "wrong password" });
        return send(201, Object.fromEntries(new URLSearchParams(body)));
      case "POST /token": {
        const form = new URLSearchParams(body);
        if (form.get("client_secret") !== SECRETS.CLIENT_SECRET)
          return send(401, { error: "invalid_client" });
        tokens++;
        return send(200, { access_token: `oauth-${tokens}`, token_type: "Bearer", expires_in: 3600 });
      }
      case "GET /report":
        if (!authorization?.startsWith("Bearer oauth-")) return send(401, { error: "no token" });
        reports++;
        return reports === 1 ? send(503, { error: "busy" }) : send(200, { notes: 12 });
      default:
        if (searchParams.get("key") !== SECRETS.API_KEY) return send(401, { error: "wrong key" });
        return send(pathname === "/notes/a%2Fb" ? 200 : 404, { path: pathname });
    }
  });

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tokensIssued: () => tokens,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
