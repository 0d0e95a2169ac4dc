import { type ActionResult, compileTools, isSingleStep } from "@mci-ts/council";
import { networkOf } from "@mci-ts/http-guard";
import type { Body, ProtocolName } from "../../protocols/protocol.ts";
import { PROTOCOLS, readAgentRequest } from "../../protocols/protocols.ts";
import type { AgentStep } from "../../runs/agent-step.ts";
import { RunConfig, splitConfig } from "../../runs/run-config.ts";
import type { Submission } from "../../runs/submission.ts";
import type { CouncilService } from "../../service.ts";
import { ServiceError } from "../../service-error.ts";
import { sessionOf } from "../access/session.ts";
import { statusOf } from "../errors.ts";
import { parse } from "../parse.ts";
import { type AppContext, clientSignal, jsonResponse, openStream } from "../route.ts";
import { responseHeaders } from "../run-status.ts";
import { readActModel } from "./act-models.ts";
import { agentStream, errorOf, summaryOf, toAgentResponse } from "./agent-stream.ts";
import { type Relay, relayResponse } from "./relay-response.ts";

/** A step is part of a conversation: it is answered at once, and never from the history. */
const NOT_FOR_STEPS = ["webhook", "cache", "cache_max_age_seconds"] as const;

/** Answers one request of an agent: a step that is voted on, or one call that is handed through. */
export async function answerAgent(
  c: AppContext,
  service: CouncilService,
  name: ProtocolName,
  body: Body,
): Promise<Response> {
  const { config, models } = service;
  const protocol = PROTOCOLS[name];
  const { preset, model } = readActModel(body["model"], config);
  if (models.simulated)
    throw new ServiceError(
      "invalid_request",
      "act needs a model provider; this service has none and simulates its answers",
    );
  const headers = { get: (header: string) => c.req.header(header) };
  const agent = readAgentRequest(name, body, headers);
  const own =
    body["config"] === undefined || body["config"] === null
      ? ({} as RunConfig)
      : parse(RunConfig, body["config"], "config");
  const unused = NOT_FOR_STEPS.find((setting) => own[setting] !== undefined && own[setting] !== "off");
  if (unused !== undefined)
    throw new ServiceError("invalid_request", `config.${unused} is not for steps of agents: leave it out`);
  const runConfig = {
    ...splitConfig(own).config,
    ...(preset ? { preset } : {}),
    ...(model ? { model } : {}),
  };
  const tools = compileTools(
    agent.tools.map((tool) =>
      service.readOnlyTools.includes(tool.name) ? { ...tool, readOnly: true } : tool,
    ),
  );
  const prompt = agent.prompt.slice(0, MAX_PROMPT_CHARS).replaceAll("\u0000", "").toWellFormed();
  const relay = body["stream"] === true ? relayResponse() : undefined;
  const request = {
    conversation: relay ? { ...agent, relay: relay.write } : agent,
    prompt,
    tools,
    choice: agent.choice,
    parallel: agent.parallel,
    ...(agent.replySchema === undefined ? {} : { replySchema: agent.replySchema }),
    ...(agent.temperature === undefined ? {} : { temperature: agent.temperature }),
    ...(agent.maxOutputTokens === undefined ? {} : { maxOutputTokens: agent.maxOutputTokens }),
    config: runConfig,
  };
  const voters = runConfig.models ?? [runConfig.model ?? models.names.voter];
  // What the provider cannot be told is refused before any call.
  if (!voters.every((voter) => models.refuse(voter) !== undefined || models.speaks(voter, name)))
    protocol.toCall(agent);
  const caller = networkOf(c.env.incoming.socket.remoteAddress ?? "");
  const decided = Promise.withResolvers<ActionResult>();
  const step: AgentStep = {
    request,
    session: service.scopeSession(sessionOf(agent, headers, caller)),
    record: {
      protocol: name,
      model: String(body["model"]),
      bytes: agent.bytes,
      ...(agent.bytes <= MAX_RECORDED_BYTES ? { body } : {}),
    },
    onResult: decided.resolve,
  };
  const stream = relay ? openStream(c, service) : undefined;
  const submission = await service.submit(
    { prompt, config: runConfig },
    { channel: name, client: clientSignal(c), step },
  );
  const ignored = c.req.header("idempotency-key") === undefined ? [] : [KEY_IGNORED];
  const sent = {
    "x-request-id": submission.id,
    "x-council-run": submission.id,
    "x-council-session": step.session,
    ...warningHeader(ignored),
  };
  const about = { id: submission.id, model: String(body["model"]), request: body };
  if (stream && relay) {
    // A rejected run gets a plain error, not a stream that starts with status 200.
    await submission.live?.admitted;
    const isRelayed =
      voters.every((voter) => models.speaks(voter, name)) &&
      isSingleStep(request, { presets: config.presets, defaults: { k: config.voting.k, act: config.act } });
    const relayed = isRelayed ? await firstOf(relay, submission) : undefined;
    if (relayed === "stream")
      return relay.response({ ...sent, "x-council-votes": "1/1", "x-council-decided": "single" });
    if (relayed === undefined || !("error" in (await submission.response).body))
      return agentStream(about, name, submission.response, decided.promise, { ...stream, headers: sent });
  }
  const response = await submission.response;
  if ("error" in response.body) {
    const failure = errorOf(response.body);
    return jsonResponse(protocol.error(failure, statusOf(failure.code)), statusOf(failure.code), {
      ...sent,
      ...responseHeaders(response),
    });
  }
  const result = await decided.promise;
  return jsonResponse(protocol.response(toAgentResponse(about, result)), 200, {
    ...sent,
    ...resultHeaders(result, ignored),
    ...responseHeaders(response),
  });
}

const KEY_IGNORED = "Idempotency-Key was ignored: a step of an agent that is sent again is voted on again.";

/** A longer conversation is not recorded: each step holds all steps before it. */
const MAX_RECORDED_BYTES = 256 * 1024;
const MAX_PROMPT_CHARS = 20_000;

/** Whether the provider's stream has begun, or the run ended before it did. */
async function firstOf(relay: Relay, { response }: Submission): Promise<"stream" | "end"> {
  const ended = response.then(() => relay.end());
  await Promise.race([relay.started, ended]);
  return relay.hasStarted() ? "stream" : "end";
}

function resultHeaders(result: ActionResult, ignored: readonly string[]): Record<string, string> {
  const { votes, decided } = summaryOf("", result);
  return {
    "x-council-votes": votes!,
    "x-council-decided": decided!,
    ...warningHeader([...ignored, ...result.metadata.warnings]),
  };
}

/** Names of tools are an agent's: a header takes visible ASCII only. */
function warningHeader(warnings: readonly string[]): Record<string, string> {
  if (warnings.length === 0) return {};
  return {
    "x-council-warnings": warnings
      .join(" ")
      .replace(/[^ -~]/g, "?")
      .slice(0, MAX_HEADER_CHARS),
  };
}
const MAX_HEADER_CHARS = 2000;
