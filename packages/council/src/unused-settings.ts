import type { RequestConfig } from "./request-config.ts";
import type { Strategy } from "./strategies/strategy.ts";

/** A line for every setting that the caller gave and that changed nothing. `used` are the strategies that ran. */
export function unusedSettings(config: RequestConfig = {}, used: readonly Strategy[]): string[] {
  const tools = [...new Set(used.map(({ tool }) => tool))].join(" and ");
  return (Object.keys(config) as (keyof RequestConfig)[]).flatMap((name) => {
    if (config[name] === undefined) return [];
    const isIgnored = used.every(({ ignores }) => ignores.includes(name));
    const reason = isIgnored ? `${tools} has no use for it` : NEEDS[name]?.(config);
    return reason === undefined ? [] : [`config.${name} was ignored: ${reason}`];
  });
}

/** Settings that say nothing without another one: the reason, where that is missing. */
const NEEDS: Readonly<Partial<Record<keyof RequestConfig, (config: RequestConfig) => string | undefined>>> = {
  target: ({ k, cheap_first }) => (k === "auto" || cheap_first ? undefined : 'it goes with k: "auto"'),
  steps: ({ k }) => (k === "auto" ? undefined : 'it goes with k: "auto"'),
  act: () => "it is for the models act…",
};
