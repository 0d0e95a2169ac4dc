import type { FinishReason } from "@mci-ts/council";

/** The SDK reports a refusal as a content filter; the provider's own word tells them apart. */
export function finishReason({ unified, raw }: { unified: string; raw: string | undefined }): FinishReason {
  switch (unified) {
    case "stop":
    case "length":
      return unified;
    case "content-filter":
      // OpenAI-compatible endpoints end a refusal with "stop", Anthropic with "refusal".
      return raw === "stop" || raw === "refusal" ? "refusal" : "content_filter";
    default:
      return "other";
  }
}
