import { CLIENT_CAPABILITIES_META_KEY, LOG_LEVEL_META_KEY } from "@modelcontextprotocol/client";
import type { Revision } from "../revision.ts";

/** Since 2026: each request says all by itself, responses say what else is needed, and one request listens to changes. */
export const REVISION_2026_07_28: Revision = {
  version: "2026-07-28",
  asksDuringCalls: false,

  frame({ requestState, inputResponses, ...params }, framing) {
    const { input, progressToken, asksForInput, capabilities, logLevel } = framing;
    const asksNow = input?.onInput !== undefined || input?.pauseOnInput === true;
    const meta = {
      ...input?.meta,
      // Each request says by itself whether a person can be asked.
      ...(asksNow !== asksForInput && { [CLIENT_CAPABILITIES_META_KEY]: capabilities(asksNow) }),
      ...(progressToken && { progressToken }),
      ...(logLevel && { [LOG_LEVEL_META_KEY]: logLevel }),
    };
    return {
      ...params,
      ...(requestState !== undefined && { requestState }),
      ...(inputResponses && { inputResponses }),
      ...(Object.keys(meta).length > 0 && { _meta: meta }),
    };
  },

  /** The revision has no ping: a server says again what it is. */
  ping: (client, options) => client.discover(options),

  async watch(client, { uris }, options) {
    const { tools, prompts, resources } = client.getServerCapabilities() ?? {};
    const filter = {
      ...(tools?.listChanged && { toolsListChanged: true }),
      ...(prompts?.listChanged && { promptsListChanged: true }),
      ...(resources?.listChanged && { resourcesListChanged: true }),
      ...(uris.length > 0 && { resourceSubscriptions: [...uris] }),
    };
    if (Object.keys(filter).length === 0) return undefined;
    const subscription = await client.listen(filter, options);
    return () => subscription.close();
  },
};
