import type { Authentication } from "../http/authenticate.ts";
import { createOpenApiDocument } from "../http/openapi-document.ts";
import type { Route } from "../http/route.ts";
import type { CouncilService } from "../service.ts";
import { VERSION } from "../version.ts";
import { calibration } from "./calibration.ts";
import { chat } from "./chat.ts";
import { chatModel, chatModels } from "./chat-models.ts";
import { consoleAsset } from "./console-asset.ts";
import { consoleParts } from "./console-parts.ts";
import { consoleToolRoutes } from "./console-tools.ts";
import { deleteRun } from "./delete-run.ts";
import { healthz } from "./health.ts";
import { home } from "./home.ts";
import { issuerRoutes } from "./issuer.ts";
import { mcp } from "./mcp.ts";
import { countTokens, messages } from "./messages.ts";
import { metrics } from "./metrics.ts";
import { model } from "./model.ts";
import { openapi } from "./openapi.ts";
import { readyz } from "./ready.ts";
import { responses } from "./responses.ts";
import { run } from "./run.ts";
import { runCall, runCalls } from "./run-calls.ts";
import { runCapsule } from "./run-capsule.ts";
import { runEvents } from "./run-events.ts";
import { runFeed } from "./run-feed.ts";
import { runs } from "./runs.ts";
import { scheduleRoutes } from "./schedules/schedule-routes.ts";
import { taskRoutes } from "./tasks/task-routes.ts";
import { verdict } from "./verdict.ts";

/** Every endpoint, in the order of the OpenAPI document. A new endpoint is a file in this folder and a line here. */
export function createRoutes(service: CouncilService, authentication?: Authentication): readonly Route[] {
  const routes: Route[] = [
    ...(authentication === undefined ? [] : issuerRoutes(authentication, service.config)),
    home,
    consoleAsset,
    consoleParts,
    ...(service.tools === undefined ? [] : consoleToolRoutes(service.tools).map(forAdmins)),
    model,
    ...mcp(service),
    chat,
    responses,
    messages,
    countTokens,
    chatModels,
    chatModel,
    runs,
    runFeed,
    run,
    runEvents,
    runCalls,
    runCall,
    runCapsule,
    deleteRun,
    verdict,
    calibration,
    ...taskRoutes,
    ...scheduleRoutes,
    healthz,
    readyz,
    metrics,
    openapi(() => createOpenApiDocument(routes, VERSION)),
  ];
  return routes;
}

/** Tools of the console run with the operator's credentials. */
const forAdmins = (route: Route): Route => ({ ...route, admin: true });
