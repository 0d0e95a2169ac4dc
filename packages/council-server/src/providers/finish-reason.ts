import type { FinishReason } from "@mci-ts/council";
import type { FullDialect } from "./dialects/index.ts";

/** How a generation ended. The SDK reports a refusal as a content filter; the provider's own word tells them apart. */
export function finishReason(
  { unified, raw }: { unified: string; raw: string | undefined },
  { finishReasons }: FullDialect,
): FinishReason | "failed" {
  // Chat completions end a refusal with "stop".
  if (unified === "content-filter" && (raw === "stop" || raw === "refusal")) return "refusal";
  if (raw !== undefined && Object.hasOwn(finishReasons, raw)) return finishReasons[raw]!;
  switch (unified) {
    case "stop":
    case "length":
      return unified;
    case "content-filter":
      return "content_filter";
    default:
      return "other";
  }
}
