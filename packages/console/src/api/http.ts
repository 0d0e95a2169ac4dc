/** An error response of the service, or of the way to it. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** 0 when the service could not be reached. */
  readonly status: number;
  readonly code: string;
  readonly details: readonly { path: string; message: string }[];
  /** When it is worth another attempt, if the service said so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    status: number,
    code: string,
    message: string,
    details: ApiError["details"] = [],
    retryAfterSeconds?: number,
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

const TOKEN_KEY = "mci-console-token";

/**
 * The bearer token lives in this tab's session storage. It may arrive once in the address, behind the `#`, where neither
 * servers nor Referer headers see it; from there it is removed at once. `mci ui` exchanges it for a token that only this
 * tab knows; a service takes it as it is.
 */
export async function readTokenFromUrl(): Promise<void> {
  const [, token] = /[#&]token=([^&]+)/.exec(location.hash) ?? [];
  if (token === undefined) return;
  history.replaceState(null, "", `${location.pathname}${location.search}#/`);
  setToken(decodeURIComponent(token));
  try {
    const { token: session } = await getJson<{ token: string }>("api/session", { body: {} });
    setToken(session);
    tabs.postMessage({ token: session });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return;
    // A used token grants nothing: the screens say how to get a new one.
    sessionStorage.removeItem(TOKEN_KEY);
  }
}

export function setToken(token: string): void {
  sessionStorage.setItem(TOKEN_KEY, token);
  isRefused = false;
}

/** Whether the server refused this tab's token. Such a tab asks the others, and answers none. */
let isRefused = false;
let lastAsked = 0;
const ASK_AGAIN_MS = 1000;

/**
 * Tabs of the console, all of this origin, hand the token to each other: one that was opened with Ctrl-click, and one whose server was
 * started again once another tab has a new address. Nothing is written anywhere that outlives the tabs.
 */
const tabs = new BroadcastChannel("mci-console-tabs");

/** Calls `onChange` when the server refused this tab, and when another tab has given it a token. */
export function shareToken(onChange: (event: "refused" | "adopted") => void): void {
  tabs.onmessage = ({ data }: MessageEvent<{ token?: unknown } | "token?">) => {
    const token = sessionStorage.getItem(TOKEN_KEY);
    if (data === "token?") {
      if (token !== null && !isRefused) tabs.postMessage({ token });
    } else if (isRefused && typeof data?.token === "string" && data.token !== token) {
      setToken(data.token);
      onChange("adopted");
    }
  };
  onRefused = () => onChange("refused");
}

let onRefused = () => {};

function askOtherTabs(): void {
  if (Date.now() - lastAsked < ASK_AGAIN_MS) return;
  lastAsked = Date.now();
  const isNew = !isRefused;
  isRefused = true;
  tabs.postMessage("token?");
  if (isNew) onRefused();
}

export interface ApiRequest {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Sends a request to the service that served this page. Anything but a success is an `ApiError`. */
export async function send(
  path: string,
  { method, body, headers = {}, signal }: ApiRequest = {},
): Promise<Response> {
  const token = sessionStorage.getItem(TOKEN_KEY);
  let response: Response;
  try {
    response = await fetch(path, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: {
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: signal ?? null,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, "offline", "The service cannot be reached. Is it still running?");
  }
  if (response.ok) return response;
  if (response.status === 401) askOtherTabs();
  throw await toApiError(response);
}

export async function getJson<T>(path: string, request?: ApiRequest): Promise<T> {
  return (await send(path, request)).json() as Promise<T>;
}

async function toApiError(response: Response): Promise<ApiError> {
  const text = await response.text();
  try {
    const { error } = JSON.parse(text);
    return new ApiError(response.status, error.code, error.message, error.details, retryAfter(response));
  } catch {
    return new ApiError(
      response.status,
      "http",
      text.slice(0, 500) || `The service answered ${response.status}.`,
      [],
      retryAfter(response),
    );
  }
}

function retryAfter({ headers }: Response): number | undefined {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}
