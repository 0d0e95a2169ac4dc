import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import type { McpTool } from "../protocol.ts";

/**
 * The `audience` annotations of a server's tools, read from its messages as they arrive. The protocol defines the
 * annotation for content only, so the SDK drops it from tools; servers set it there anyway, and filters use it.
 */
export class Audiences {
  readonly #byTool = new Map<string, readonly unknown[]>();

  onMessage(message: JSONRPCMessage): void {
    const { result }: { readonly result?: { readonly tools?: unknown } } = message as object;
    if (!Array.isArray(result?.tools)) return;
    for (const tool of result.tools) {
      const audience: unknown = tool?.annotations?.audience;
      if (Array.isArray(audience)) this.#byTool.set(tool.name, audience);
      else this.#byTool.delete(tool?.name);
    }
  }

  addTo(tools: readonly McpTool[]): readonly McpTool[] {
    if (this.#byTool.size === 0) return tools;
    return tools.map((tool) => {
      const audience = this.#byTool.get(tool.name);
      return audience === undefined ? tool : { ...tool, annotations: { ...tool.annotations, audience } };
    });
  }
}
