import { type RequestConfig, requestConfigSchema } from "@mci-ts/council";
import { z } from "zod";

/** What `config` may hold on every endpoint: the engine's settings, and those that only a service has. */
export const RunConfig = requestConfigSchema.extend({
  webhook: z
    // In one spelling: deliveries are bounded by host.
    .url({ protocol: /^https?$/, normalize: true })
    .max(2000)
    .optional()
    .describe("Gets the response by POST when the run ends. Its host must be allowed by the service."),
  cache: z
    .enum(["allow", "off"])
    .optional()
    .describe("allow: the response of an equal, complete run in the history may be used. Default off."),
  cache_max_age_seconds: z
    .int()
    .min(1)
    .max(31_536_000)
    .optional()
    .describe("How old such a response may be. Default 86400, one day."),
});
export type RunConfig = z.output<typeof RunConfig>;

const DEFAULT_MAX_AGE_SECONDS = 86_400;

/** The engine's part of `config`, and what the service does with the run. */
export function splitConfig({ webhook, cache, cache_max_age_seconds, ...config }: RunConfig = {}): {
  readonly config: RequestConfig;
  readonly options: {
    readonly webhook?: string;
    readonly cacheMaxAgeMs?: number;
    /** Settings that change nothing, in sentences. */
    readonly warnings: readonly string[];
  };
} {
  const maxAge = cache_max_age_seconds ?? DEFAULT_MAX_AGE_SECONDS;
  return {
    config,
    options: {
      ...(webhook === undefined ? {} : { webhook }),
      ...(cache === "allow" ? { cacheMaxAgeMs: maxAge * 1000 } : {}),
      warnings:
        cache_max_age_seconds !== undefined && cache !== "allow"
          ? ['config.cache_max_age_seconds was ignored: it goes with cache: "allow"']
          : [],
    },
  };
}
