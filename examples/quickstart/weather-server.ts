import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A weather service for the quickstart, on loopback. Its weather is invented. */
export async function startWeatherServer(key: string): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    const city = decodeURIComponent(url.pathname.split("/")[2] ?? "");
    const allowed = request.headers["x-api-key"] === key;
    response.writeHead(allowed ? 200 : 401, { "content-type": "application/json" });
    response.end(
      JSON.stringify(
        allowed
          ? { city, units: url.searchParams.get("units"), temperature: 21, sky: "clear" }
          : { error: "wrong key" },
      ),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
