import type { Requirements } from "./requirements.ts";

export default {
  "A-background": "A run with Prefer: respond-async is answered with 202 and goes on without its client",
  "A-objects": "config.answer_schema gives an object as the answer, over HTTP, MCP and /v1",
  "P-service": "Panels, criteria, peer ranking and the operator's presets work over HTTP",
  "M-recipes": "The recipes for providers work as written, and the table of dialects is the code's",
  "M-context": "A request that does not fit the context window is refused before any model call",
  "M-recording": "Traffic with a provider can be recorded without keys and is replayed by the tests",
  "M-styles": "Every strategy works on every provider's dialect, with the habits of real models",
  "M-azure": "Azure's deployments and API versions are addressed as Azure wants them",
  "M-dialect": "Providers are recognised by host, port or response; a setting overrides",
  "M-envelope": "Every error envelope in use is understood",
  "M-error-200": "A failure inside HTTP 200 has the status that was meant",
  "M-fatal": "An empty account and a context that overflows are reported, and not retried",
  "M-ladder":
    "What an endpoint refuses is left out step by step, remembered also across restarts, and no failure of the run",
  "M-limiter":
    "One limiter per provider and key: runs take turns, Retry-After holds all calls, a run waits while it has time",
  "M-invalid-json": "What a provider itself rejects as invalid JSON is a red flag",
  "A-400":
    "Bad input is a 400 that lists every problem with its path, before any model call; num_voters and k go from 1 to 25",
  "A-accept":
    "Accept: text/event-stream streams the deliberation in versioned envelopes and ends in the same body",
  "A-cache": "An equal request is answered from the history only where the caller allows it, labelled",
  "A-council": "A decision or a review comes back as a council report under its two headings",
  "A-cut": "A reader that leaves costs nothing, not even a line in the log",
  "A-decompose": "A task comes back as a JSON object of steps",
  "A-errors": "Every error has a code, a status and a meaning, all of them on one page",
  "A-eventsource":
    "Accept: text/event-stream streams the deliberation in versioned envelopes and ends in the same body",
  "A-health": "Liveness, readiness and Prometheus metrics",
  "A-idempotency": "The same Idempotency-Key gives the same answer, computed once",
  "A-metadata":
    "The metadata say how it was routed, what answered, how the vote went and what it cost; raw_output holds every answer as it was written",
  "A-metrics": "Liveness, readiness and Prometheus metrics",
  "A-openapi": "An OpenAPI description made from the code, which every answer fits",
  "A-openapi-lint": "The OpenAPI document has no lint problem",
  "A-runs": "The history of runs, one run, its events, and how to forget it",
  "A-simulated":
    "Without either, a simulated model answers and says so at start, in /readyz and in every response",
  "A-slow": "A slow reader costs no memory and is cut off in the end",
  "A-stream":
    "Accept: text/event-stream streams the deliberation in versioned envelopes and ends in the same body",
  "A-vote": "A question comes back as a voting result under its two headings, k in the first",
  "B-webhook": "Webhooks go to allowed hosts only, signed and retried",
  "C-ai-sdk": "The AI SDK, LangChain and the openai packages get answers, streams and errors from /v1",
  "C-data-lines": "Streams of /v1 hold nothing but data lines",
  "C-format": "/v1 honours response_format",
  "C-hint": "A request to a path of the OpenAI API that is not served gets a hint",
  "C-langchain": "The AI SDK, LangChain and the openai packages get answers, streams and errors from /v1",
  "C-python": "The AI SDK, LangChain and the openai packages get answers, streams and errors from /v1",
  "C-tools": "/v1 refuses tools with a clear error, and shows each of its models",
  "C-failure": "OpenAI-compatible chat completions with four models, plain and streaming",
  "C-plain": "OpenAI-compatible chat completions with four models, plain and streaming",
  "C-stream": "OpenAI-compatible chat completions with four models, plain and streaming",
  "F-all": "When all calls fail there is an error, never an empty win",
  "F-budget":
    "max_calls refuses the next call; calls in flight may finish; max_tokens, max_usd and deadline_ms hold; what there is by then is shown as partial",
  "F-client-gone":
    "A client that is gone, DELETE, a deadline or a spent budget closes every connection to the provider",
  "F-daily": "The server's own limits hold beside the request's, per run and per day",
  "F-delete":
    "A client that is gone, DELETE, a deadline or a spent budget closes every connection to the provider",
  "F-hang":
    "A client that is gone, DELETE, a deadline or a spent budget closes every connection to the provider",
  "F-judge":
    "A failing judge is replaced by the next model, then by the best-supported proposal, and that is said",
  "F-retry": "Transport errors are no red flags: retried with backoff and Retry-After, counted apart",
  "F-retry-after": "A run that fails for a provider's rate limit passes its Retry-After on",
  "F-reused": "A connection that is cut on a reused socket is counted as a transport error",
  "F-seat": "Seats work side by side and fail alone, down to a quorum",
  "F-tokens":
    "A client that is gone, DELETE, a deadline or a spent budget closes every connection to the provider",
  "H-bearer": "Loopback by default; a bearer token wherever else",
  "H-body": "Bodies are capped, clients are limited",
  "H-rate": "Bodies are capped, clients are limited",
  "H-ready": "/readyz shows no provider address without the token",
  "H-streams": "One client cannot hold all streams",
  "H-rebinding": "Host and Origin are checked",
  "L-2000": "Two thousand requests at once are answered or refused with Retry-After, in bounded memory",
  "M-abort":
    "A client that is gone, DELETE, a deadline or a spent budget closes every connection to the provider",
  "M-endless": "A provider that never ends, miscounts or repeats its key does no harm",
  "M-finish":
    "One call per sample, the SDK's retries off, how it ended passed on as it is; Every kind of red flag discards an answer, and none is repaired",
  "M-makers": "Anthropic and Google are asked over their own APIs where their keys are set",
  "M-price": "Costs come from the provider or from prices, and are never made up",
  "M-quirk":
    "A parameter an endpoint refuses is left out from then on; nothing a prompt says can bring that about",
  "M-redirect": "Key and prompt go where the settings say, which the start tells: a redirect is not followed",
  "M-secret": "A provider that never ends, miscounts or repeats its key does no harm",
  "M-structured": "Structured answers are asked for by schema, or in words where an endpoint knows none",
  "M-transport": "One call per sample, the SDK's retries off, how it ended passed on as it is",
  "M-usage": "A provider that never ends, miscounts or repeats its key does no harm",
  "O-spans": "Spans in the words of gen_ai for whatever OpenTelemetry SDK there is",
  "P-cancel":
    "A client that is gone, DELETE, a deadline or a spent budget closes every connection to the provider",
  "P-http": "The four tools over MCP, by Streamable HTTP and stdio, for the official client and Inspector",
  "P-inspector":
    "The four tools over MCP, by Streamable HTTP and stdio, for the official client and Inspector",
  "P-stdio": "The four tools over MCP, by Streamable HTTP and stdio, for the official client and Inspector",
  "Q-options": "Invalid arguments to exported functions are reported in the same way",
  "Q-words": "Validation messages name the field, what it may be and what it is",
  "S-search": "The history is searched by the words of prompts and results",
  "S-bad-setting": "A bad setting stops the start and is named",
  "S-bad-start": "A bad setting stops the start and is named",
  "S-defaults": "Loopback by default; a bearer token wherever else",
  "S-degraded": "A failing store never loses an answer",
  "S-disk-full": "A failing store never loses an answer",
  "S-drop-in": "The earlier project's settings work unchanged; OpenAI's names are the fallback",
  "S-durable": "With a data folder, the record of a run is on disk before its response leaves",
  "S-fallback": "The earlier project's settings work unchanged; OpenAI's names are the fallback",
  "S-index": "Filters of the history use an index, however long it is",
  "S-key": "Key and prompt go where the settings say, which the start tells: a redirect is not followed",
  "S-kill": "The history survives a kill at any moment, and runs cut short are marked",
  "S-kill-run": "The history survives a kill at any moment, and runs cut short are marked",
  "S-local": "Without a key, local model servers are detected",
  "S-orphans": "The history survives a kill at any moment, and runs cut short are marked",
  "S-retention": "Runs are retained for a number of days and up to a number; the oldest are deleted first",
  "S-room": "Runs are retained for a number of days and up to a number; the oldest are deleted first",
  "S-start":
    "Without either, a simulated model answers and says so at start, in /readyz and in every response",
} satisfies Requirements;
