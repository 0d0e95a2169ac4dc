import {
  answerInput,
  callTool,
  clearCalls,
  listCalls,
  previewCall,
  showCall,
  showDraft,
} from "./calls/call-endpoints.ts";
import { saveTest } from "./calls/save-test.ts";
import { eventStream } from "./event-stream.ts";
import { ApiFailure, toResponse } from "./failure.ts";
import { readSource, saveSource, validate } from "./file-endpoints.ts";
import { json } from "./json-response.ts";
import { listTools, showTool } from "./list-tools.ts";
import { commitPlan, discardPlan, listPlans, showPlan } from "./plans.ts";
import { followChanges } from "./servers/follow-changes.ts";
import { listPrompts, listResources } from "./servers/list-content.ts";
import { completeArgument, getPrompt, readResource } from "./servers/read-content.ts";
import {
  listServers,
  pingServer,
  refreshServer,
  restartServer,
  serverLog,
  setLogLevel,
  showServer,
} from "./servers/server-endpoints.ts";
import { followServer } from "./servers/server-events.ts";
import type { Endpoint, ToolsRequest, ToolsSource } from "./source.ts";
import { listVariables, setVariable } from "./variable-endpoints.ts";

/** Every endpoint of the tools page. */
const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  "GET tools": listTools,
  "GET tools/:name": showTool,
  "POST tools/:name/preview": previewCall,
  "POST tools/:name/draft": showDraft,
  "POST tools/:name/call": callTool,
  "POST inputs/:name": answerInput,
  "POST logins/:name": beginLogin,
  "GET calls": listCalls,
  "DELETE calls": clearCalls,
  "GET calls/:name": showCall,
  "POST calls/:name/test": saveTest,
  "GET events": followTools,
  "GET file": readSource,
  "PUT file": saveSource,
  "POST validate": validate,
  "GET variables": listVariables,
  "PUT variables/:name": setVariable,
  "GET plans": listPlans,
  "GET plans/:name": showPlan,
  "POST plans/:name/commit": commitPlan,
  "DELETE plans/:name": discardPlan,
  "GET servers": listServers,
  "GET servers/:name": showServer,
  "GET servers/:name/log": serverLog,
  "POST servers/:name/restart": restartServer,
  "POST servers/:name/ping": pingServer,
  "POST servers/:name/log-level": setLogLevel,
  "POST servers/:name/refresh": refreshServer,
  "POST servers/:name/events": followServer,
  "GET sources/:name/resources": listResources,
  "GET sources/:name/prompts": listPrompts,
  "POST sources/:name/read": readResource,
  "POST sources/:name/prompt": getPrompt,
  "POST sources/:name/complete": completeArgument,
};

/** The tools API: what the page asks, and any other client may. */
export async function handleToolsRequest(source: ToolsSource, request: ToolsRequest): Promise<Response> {
  try {
    const [resource = "", name = "", action] = request.path.split("/").map(decodeSegment);
    const route = [
      resource,
      ...(name === "" ? [] : [":name"]),
      ...(action === undefined ? [] : [action]),
    ].join("/");
    const handler = ENDPOINTS[`${request.method} ${route}`];
    if (handler === undefined)
      throw new ApiFailure(404, "not_found", `There is no ${request.method} /api/${request.path}.`);
    return await handler(source, request, name);
  } catch (error) {
    return toResponse(error);
  }
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new ApiFailure(400, "invalid_request", "The path is not valid percent-encoding.");
  }
}

async function beginLogin(source: ToolsSource, _: ToolsRequest, name: string): Promise<Response> {
  if (source.logins === undefined)
    throw new ApiFailure(
      404,
      "not_found",
      "There are no logins here: they are those of the person at 'mci ui'.",
    );
  return json(await source.logins.begin(name, () => source.reload()));
}

/** Server-sent events: `calls` for each change of a call, `tools` when the file was loaded again or a server has changed its tools. */
function followTools(source: ToolsSource, { signal }: ToolsRequest): Response {
  return eventStream(signal, (send) => {
    source.calls.watch((record) => send("calls", record), signal);
    source.watch(() => send("tools", {}), signal);
    followChanges(source, signal, ({ kind }) => kind === "tools" && send("tools", {}));
  });
}
