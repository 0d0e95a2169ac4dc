import type { Dialect } from "./dialect.ts";

/**
 * OpenAI's models as deployments. The older address names deployment and API version
 * (`…/openai/deployments/NAME/chat/completions?api-version=…`), the newer one (`…/openai/v1`) neither.
 */
export const azure: Dialect = {
  title: "Azure OpenAI",
  bounds: false,
  hosts: /\.(openai\.azure|cognitiveservices\.azure|services\.ai\.azure)\.com$/,
  signature: ({ body }) => "prompt_filter_results" in body,
  keyHeader: "api-key",
  // Versions before 2024-09-01-preview know only the older name, reasoning models only the newer one.
  tokenLimit: ["max_completion_tokens", "max_tokens"],
  // Only the newer address has it.
  responses: ({ pathname }) => /\/openai\/v1\/?$/.test(pathname),
  chatUrl: (base, model) => {
    const path = base.pathname.replace(/(?<!\/)\/+$/, "");
    const isVersioned = /\/openai\/v1$/.test(path) || /\/deployments\/[^/]+$/.test(path);
    const root = /\/openai$/.test(path) ? path : `${path}/openai`;
    const folder = isVersioned ? path : `${root}/deployments/${encodeURIComponent(model)}`;
    return `${base.origin}${folder}/chat/completions${base.search}`;
  },
};
