import type { CouncilOptions } from "./options.ts";
import type { CouncilRequest } from "./request.ts";
import type { CouncilResult } from "./result.ts";

/**
 * Answers one request. The request is checked here; whatever `councilRequestSchema` refuses is thrown as
 * `CouncilError` `invalid_request` before any call.
 */
export async function runCouncil(request: CouncilRequest, options: CouncilOptions): Promise<CouncilResult> {
  throw new Error(`under construction: ${request.prompt.length} ${options.models.voter}`);
}
