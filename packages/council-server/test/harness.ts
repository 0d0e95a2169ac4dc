import { cleanUpAfterTest } from "../../../test/clean-up/clean-up.ts";
import {
  type FakeProvider,
  type FakeProviderOptions,
  startFakeProvider,
} from "../../fake-provider/src/server.ts";
import { readConfig } from "../src/config/config.ts";
import { type CouncilServer, serve } from "../src/server.ts";

const open: { close(): Promise<void> }[] = [];
cleanUpAfterTest(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

/** A provider and a service that asks it; both end with the test. */
export async function startCouncil(
  sim: FakeProviderOptions = {},
  env: Record<string, string> = {},
): Promise<{ sim: FakeProvider; server: CouncilServer; url: string; logged: string[] }> {
  const provider = await startFakeProvider(sim);
  open.push(provider);
  const { server, url, logged } = await startService({
    MAKER_API_URL: provider.url,
    MAKER_API_MODEL: "sim",
    ...env,
  });
  return { sim: provider, server, url, logged };
}

/** A service alone, on any free port. */
export async function startService(
  env: Record<string, string> = {},
): Promise<{ server: CouncilServer; url: string; logged: string[] }> {
  const logged: string[] = [];
  const server = await serve(readConfig({ PORT: "0", MCI_DETECT_LOCAL: "0", ...env }), {
    log: (message) => logged.push(message),
  });
  open.push(server);
  return { server, url: server.url, logged };
}

export function post(url: string, body: unknown, init: RequestInit = {}): Promise<Response> {
  return fetch(url, {
    method: "POST",
    body: JSON.stringify(body),
    ...init,
    headers: { "content-type": "application/json", ...(init.headers as Record<string, string>) },
  });
}

/** The events of a stream, comments left out. */
export async function readEvents(
  response: Response,
): Promise<{ id?: string; event?: string; data: string }[]> {
  return parseEvents(await response.text());
}

export function parseEvents(text: string): { id?: string; event?: string; data: string }[] {
  return text
    .split("\n\n")
    .filter((block) => /^data:/m.test(block))
    .map((block) => {
      const fields = Object.fromEntries(block.split("\n").map((line) => line.split(/: (.*)/s).slice(0, 2)));
      return fields as { data: string };
    });
}
