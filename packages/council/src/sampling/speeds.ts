/** How fast models write, measured from their replies. Kept by the caller between runs. */
export interface Speeds {
  /** `latencyMs`: from the request to the end of the reply, waiting in a queue included. */
  note(model: string, outputTokens: number, latencyMs: number): void;
  /** Tokens that the model writes within this time; undefined while its speed is unknown, or where time is not limited. */
  tokensWithin(model: string, ms: number): number | undefined;
}

/** Shorter replies say more about the way to the server than about the model. */
const MIN_TOKENS = 8;
/** The weight of the newest reply: a server that gets busy is noticed within a few. */
const WEIGHT = 0.3;
const MAX_MODELS = 1000;

export function createSpeeds(): Speeds {
  const tokensPerMs = new Map<string, number>();
  return {
    note(model, outputTokens, latencyMs) {
      if (!(outputTokens >= MIN_TOKENS && latencyMs > 0)) return;
      const measured = outputTokens / latencyMs;
      const mean = tokensPerMs.get(model);
      if (mean === undefined && tokensPerMs.size >= MAX_MODELS) return;
      tokensPerMs.set(model, mean === undefined ? measured : mean + WEIGHT * (measured - mean));
    },
    tokensWithin(model, ms) {
      const speed = tokensPerMs.get(model);
      return speed === undefined || !Number.isFinite(ms) ? undefined : Math.max(0, Math.floor(speed * ms));
    },
  };
}
