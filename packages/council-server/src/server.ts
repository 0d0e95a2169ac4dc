import { randomBytes } from "node:crypto";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { checkArgument, type Log } from "@mci-ts/council";
import { ListenError, limitSlowClients, listen, SLOW_REQUEST_TIMEOUTS, urlHost } from "@mci-ts/http-guard";
import { z } from "zod";
import { createApp } from "./app.ts";
import { type Config, ConfigError } from "./config/config.ts";
import { type Models, openModels } from "./providers/models.ts";
import { type CouncilService, createService } from "./service.ts";
import { historyError, openStore } from "./store/store.ts";
import { createLog } from "./telemetry/log.ts";

/** A running service. */
export interface CouncilServer {
  readonly url: string;
  readonly service: CouncilService;
  /** Aborted when other instances have declared this one dead; it then closes by itself. Only with DATABASE_URL. */
  readonly lost?: AbortSignal;
  /** Stops accepting runs, lets those in flight finish for up to `graceMs`, then cancels them. Default 0. */
  close(graceMs?: number): Promise<void>;
}

export interface ServeOptions {
  /** Called with each entry of the log. Default: lines on standard error, as MCI_LOG_FORMAT says. */
  readonly log?: Log;
  /** Default: opened as the settings say. */
  readonly models?: Models;
}

/** Opens models and history, then listens. */
export async function serve(config: Config, options: ServeOptions = {}): Promise<CouncilServer> {
  checkArgument("config", config, configs);
  checkArgument("options", options, serveOptions);
  const service = await openService(config, options);
  const server = createAdaptorServer({
    fetch: createApp(service).fetch,
    serverOptions: SLOW_REQUEST_TIMEOUTS,
  }) as Server;
  limitSlowClients(server);
  try {
    await listen(server, config.http);
  } catch (error) {
    await service.store.close();
    if (!(error instanceof ListenError)) throw error;
    const advice = error.isAboutPort
      ? "; set PORT to another one, such as PORT=8339, or stop that program"
      : "";
    throw new ConfigError([`HOST and PORT: ${error.message}${advice}`]);
  }
  const { port } = server.address() as AddressInfo;
  const { host } = config.http;
  const lost = service.store.shared?.lost;
  let closing: Promise<void> | undefined;

  async function close(graceMs: number): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve));
    await service.close(graceMs);
    // Responses are being sent; idle and streaming connections would keep the process alive forever.
    server.closeIdleConnections();
    const timer = setTimeout(() => server.closeAllConnections(), 500);
    await closed;
    clearTimeout(timer);
    await service.store.close();
  }

  const closeOnce = (graceMs: number) => (closing ??= close(graceMs));
  // Its runs are reported as interrupted already: no work of it may go on.
  lost?.addEventListener("abort", () => void closeOnce(0));
  return {
    url: `http://${urlHost(host)}:${port}`,
    service,
    ...(lost ? { lost } : {}),
    close: (graceMs = 0) => closeOnce(graceMs),
  };
}

const configs = z
  .looseObject({})
  .refine((config) => "models" in config && "http" in config && "store" in config, {
    error: "must be made by readConfig",
  });
const serveOptions = z.strictObject({
  log: z.custom((value) => typeof value === "function", "must be a function").optional(),
  models: z.looseObject({}).optional(),
});

/** The service without a web server, for MCP over stdio. */
export async function openService(config: Config, options: ServeOptions = {}): Promise<CouncilService> {
  const instance = randomBytes(4).toString("hex");
  const log = options.log ?? createLog({ format: config.logFormat, instance });
  const models = options.models ?? (await openModels(config.models));
  const store = await openStore(config.store, log, instance);
  try {
    return await createService(config, models, store, { log, instance });
  } catch (error) {
    // The store's thread would keep the process alive.
    await store.close();
    throw historyError(config.store, error);
  }
}
