import type { HttpExchange } from "mci-ts";
import type { CallDetail } from "../../../serve/tools/types.ts";

/** The requests of a call as an HTTP Archive (HAR 1.2), for browsers' tools and Postman. Secrets are masked in it. */
export function toHar({ tool, exchanges }: Pick<CallDetail, "tool" | "exchanges">): object {
  return {
    log: {
      version: "1.2",
      creator: { name: "mci", version: "0.1.0" },
      comment: `Calls of the tool ${tool}. Secrets are masked.`,
      entries: exchanges.map(entry),
    },
  };
}

function entry({ startedAt, durationMs, attempt, request, response, error }: HttpExchange): object {
  const url = URL.canParse(request.url) ? new URL(request.url) : undefined;
  return {
    startedDateTime: startedAt,
    time: durationMs,
    comment: error === undefined ? `Attempt ${attempt}` : `Attempt ${attempt}: ${error}`,
    request: {
      method: request.method,
      url: request.url,
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: pairs(request.headers),
      queryString: [...(url?.searchParams ?? [])].map(([name, value]) => ({ name, value })),
      headersSize: -1,
      bodySize: request.body === undefined ? 0 : new TextEncoder().encode(request.body).length,
      ...(request.body === undefined
        ? {}
        : {
            postData: {
              mimeType: find(request.headers, "content-type"),
              text: request.body,
              ...(request.bodyEncoding && { encoding: request.bodyEncoding }),
            },
          }),
    },
    response: {
      status: response?.status ?? 0,
      statusText: response?.statusText ?? "",
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: pairs(response?.headers ?? {}),
      content: {
        size: response?.size ?? 0,
        mimeType: find(response?.headers ?? {}, "content-type"),
        text: response?.body ?? "",
        ...(response?.bodyEncoding && { encoding: response.bodyEncoding }),
        ...(response?.isCut && { comment: "Only the beginning was kept." }),
      },
      redirectURL: find(response?.headers ?? {}, "location"),
      headersSize: -1,
      bodySize: response?.size ?? -1,
      ...(error === undefined ? {} : { _error: error }),
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
  };
}

const pairs = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

function find(headers: Readonly<Record<string, string>>, name: string): string {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1] ?? "";
}
