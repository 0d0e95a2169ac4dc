import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readBody } from "node:stream/consumers";
import { checkArgument } from "@mci-ts/council";
import { z } from "zod";
import { ChatRequest, textOf } from "./chat-request.ts";
import { chooseReply } from "./choose-reply.ts";
import { tokens } from "./completion.ts";
import type { FakeDialect, ProviderError } from "./dialects/dialect.ts";
import { DIALECT_NAMES, type DialectName, FAKE_DIALECTS } from "./dialects/index.ts";
import { responses } from "./dialects/responses.ts";
import { Limits } from "./limits.ts";
import { type LogEntry, RequestLog, type RequestStats } from "./request-log.ts";
import { respond, sendError, sendJson } from "./respond.ts";
import { type Rule, Script, type ScriptInput } from "./script.ts";

export interface FakeProviderOptions extends ScriptInput {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0, any free port. */
  readonly port?: number;
  /** Bearer key that callers must show. Default: none is asked for. */
  readonly key?: string;
  /** Names listed by `GET /v1/models`. Default `["sim"]`. */
  readonly models?: readonly string[];
  /** Whether `response_format: json_schema` is accepted; false answers it with 400, as older endpoints do. Default true. */
  readonly structured?: boolean;
  /** Whether `tools` are accepted; false answers them with 400, as models that cannot call any do. Default true. */
  readonly tools?: boolean;
  /** The provider it stands in for: addresses, refusals, envelopes and fields are those. Default generic, which takes everything. */
  readonly dialect?: DialectName;
  /** Calls at the same time; more are answered with 429. Default: any number. */
  readonly limitConcurrency?: number;
  /** Whether the log has each request as it came. Default false. */
  readonly recordBodies?: boolean;
  /** Tokens per minute; more are answered with 429 and Retry-After. Default: any number. */
  readonly limitTpm?: number;
}

/** A running test provider. */
export interface FakeProvider {
  /** Base URL of the API, ending in `/v1`. */
  readonly url: string;
  readonly port: number;
  readonly log: readonly LogEntry[];
  readonly stats: RequestStats;
  /** Replaces rules and behaviour, and resets the counts. */
  script(script: ScriptInput): void;
  close(): Promise<void>;
}

/**
 * A real HTTP server that speaks chat completions and behaves as configured: right, wrong, slow, in other words, broken in every
 * way a provider can be. It logs what arrives and when a caller hangs up.
 */
export async function startFakeProvider(options: FakeProviderOptions = {}): Promise<FakeProvider> {
  checkArgument("options", options, simOptions);
  const { rules, behaviour } = options;
  const log = new RequestLog();
  let script = Script.parse({ rules, behaviour });
  let used = new Map<Rule, number>();
  const replace = (input: ScriptInput) => {
    checkArgument("script", input, Script);
    script = Script.parse(input);
    used = new Map();
    log.clear();
  };

  const spoken: FakeDialect = FAKE_DIALECTS[options.dialect ?? "generic"];
  const atResponses: FakeDialect = { ...spoken, ...responses };
  const limits = new Limits({ concurrency: options.limitConcurrency, tokensPerMinute: options.limitTpm });
  const server = createServer(async (incoming, outgoing) => {
    const url = new URL(incoming.url ?? "/", "http://sim");
    const { pathname } = url;
    try {
      const dialect = responses.match(url) ? atResponses : spoken;
      const matched = incoming.method === "POST" ? dialect.match(url) : undefined;
      if (matched) await chat(incoming, outgoing, url, dialect, matched.model);
      else if (pathname === "/v1/models") sendJson(outgoing, 200, modelList(options.models ?? ["sim"]));
      else if (pathname === "/sim/log") sendJson(outgoing, 200, { stats: log.stats, entries: log.entries });
      else if (pathname === "/sim/script" && incoming.method === "PUT") {
        replace(JSON.parse(await readBody(incoming)));
        sendJson(outgoing, 200, script);
      } else if (pathname === "/sim/script") sendJson(outgoing, 200, script);
      else
        sendJson(outgoing, 404, { error: { message: `No such path: ${pathname}`, type: "sim", code: 404 } });
    } catch (error) {
      if (!outgoing.headersSent)
        sendJson(outgoing, 400, { error: { message: String(error), type: "sim", code: 400 } });
    }
  });

  async function chat(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    url: URL,
    dialect: FakeDialect,
    model: string | undefined,
  ): Promise<void> {
    const body = JSON.parse(await readBody(incoming));
    const request = ChatRequest.parse(dialect.read(body, model));
    const refused =
      options.key !== undefined && !dialect.isAuthorised(incoming.headers, options.key)
        ? { status: 401, message: "Incorrect API key provided" }
        : rejection(request, url, dialect);
    if (refused) {
      sendError(outgoing, dialect, refused);
      return;
    }
    const text = textOf(request);
    const admitted = limits.admit(tokens(text) + TYPICAL_ANSWER_TOKENS);
    const entry = {
      model: request.model,
      temperature: request.temperature ?? null,
      structured: isStructured(request),
      ...(options.recordBodies ? { body, headers: incoming.headers } : {}),
    };
    if ("refused" in admitted) {
      sendError(outgoing, dialect, admitted.refused);
      log.arrive({ ...entry, reply: "status" })("refused");
      return;
    }
    const live = script.rules.filter(
      (rule) => (used.get(rule) ?? 0) < (rule.times ?? Number.POSITIVE_INFINITY),
    );
    const { reply, delayMs, rule } = chooseReply(live, script.behaviour, request, text, log.nextNumber());
    if (rule) used.set(rule, (used.get(rule) ?? 0) + 1);
    const end = log.arrive({ ...entry, reply: reply.kind });
    const id = `chatcmpl-sim-${log.nextNumber()}`;
    const timer = setTimeout(() => {
      admitted.end();
      const ending = respond(outgoing, request, reply, { id, dialect });
      if (ending) end(ending);
    }, delayMs);
    outgoing.on("close", () => {
      clearTimeout(timer);
      admitted.end();
      end("aborted");
    });
  }

  function rejection(request: ChatRequest, url: URL, dialect: FakeDialect): ProviderError | undefined {
    if (isStructured(request) && options.structured === false)
      return {
        status: 400,
        message: "'response_format' of type 'json_schema' is not supported",
        param: "response_format",
      };
    if (request.tools?.length && options.tools === false)
      return { status: 400, message: `${request.model} does not support tools` };
    return dialect.rejection(request, url);
  }

  await once(server.listen(options.port ?? 0, options.host ?? "127.0.0.1"), "listening");
  const { port, address, family } = server.address() as AddressInfo;
  return {
    url: `http://${family === "IPv6" ? `[${address}]` : address}:${port}/v1`,
    port,
    get log() {
      return log.entries;
    },
    get stats() {
      return log.stats;
    },
    script: replace,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const simOptions = Script.extend({
  host: z.string(),
  port: z.int().min(0).max(65535),
  key: z.string(),
  models: z.array(z.string()),
  structured: z.boolean(),
  tools: z.boolean(),
  dialect: z.enum(DIALECT_NAMES),
  limitConcurrency: z.int().min(1),
  recordBodies: z.boolean(),
  limitTpm: z.int().min(1),
}).partial();

const isStructured = (request: ChatRequest) => request.response_format?.type === "json_schema";

/** Providers reserve room for the answer before they know it. */
const TYPICAL_ANSWER_TOKENS = 50;

function modelList(models: readonly string[]): unknown {
  return { object: "list", data: models.map((id) => ({ id, object: "model", created: 0, owned_by: "sim" })) };
}
