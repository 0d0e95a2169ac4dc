import type { Authentication } from "../http/access/authenticate.ts";
import { createOpenApiDocument } from "../http/openapi-document.ts";
import type { Route } from "../http/route.ts";
import type { CouncilService } from "../service.ts";
import { VERSION } from "../version.ts";
import { consoleAsset } from "./console/console-asset.ts";
import { consoleParts } from "./console/console-parts.ts";
import { consoleToolRoutes } from "./console/console-tools.ts";
import { evaluationOptions } from "./console/evaluation-options.ts";
import { home } from "./console/home.ts";
import { healthz, readyz } from "./health.ts";
import { issuerRoutes } from "./issuer.ts";
import { mcp } from "./mcp.ts";
import { metrics } from "./metrics.ts";
import { model } from "./model.ts";
import { openapi } from "./openapi.ts";
import { calibration } from "./runs/calibration.ts";
import { deleteRun } from "./runs/delete-run.ts";
import { run } from "./runs/run.ts";
import { runCall, runCalls } from "./runs/run-calls.ts";
import { runCapsule } from "./runs/run-capsule.ts";
import { runEvents } from "./runs/run-events.ts";
import { runFeed } from "./runs/run-feed.ts";
import { runs } from "./runs/runs.ts";
import { verdict } from "./runs/verdict.ts";
import { scheduleRoutes } from "./schedules.ts";
import { taskRoutes } from "./tasks/task-routes.ts";
import { chat } from "./v1/chat.ts";
import { chatModel, chatModels } from "./v1/chat-models.ts";
import { countTokens, messages } from "./v1/messages.ts";
import { responses } from "./v1/responses.ts";

/** Every endpoint, in the order of the OpenAPI document. A new endpoint is a file in this folder and a line here. */
export function createRoutes(service: CouncilService, authentication?: Authentication): readonly Route[] {
  const routes: Route[] = [
    ...(authentication === undefined ? [] : issuerRoutes(authentication, service.config)),
    home,
    consoleAsset,
    consoleParts,
    evaluationOptions,
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
