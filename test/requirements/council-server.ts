import type { Requirements } from "./requirements.ts";

export default {
  "OWN-access":
    "Behind an issuer a request needs its token; what is about the whole service needs the admin scope",
  "OWN-runs":
    "A run, its calls, events and end belong to the subject of its token; others cannot tell that it exists",
  "OWN-keys": "Idempotency keys and cached responses of one subject are nothing to another",
  "OWN-tasks":
    "A task, its steps and stream belong to its subject, in lists, counts and actions on many, too",
  "OWN-sessions": "A session of an agent belongs to its subject, whatever name clients give it",
  "OWN-budget": "Each subject has its own part of the daily budget, and its own rate",
  "SV-log":
    "An entry of the log has its time, level, instance, run and task, as fields of JSON where that is asked for; no message can pass for another entry",
  "V-verdict":
    "Verdicts and a file of outcomes give votes a confidence; they are stored, and a run counts once",
  "H-balancer": "Any instance serves any request, behind a load balancer that knows nothing of runs",
  "H-budget-chunks":
    "Instances reserve a shared daily budget in chunks, and no call is made without a reservation",
  "H-budget": "Instances that share a database spend one daily budget",
  "H-cancel": "A run is cancelled from any instance",
  "H-events": "The events of a run are streamed by any instance, as they happen",
  "H-key": "Requests with the same Idempotency-Key share one run, whatever instances they reach",
  "H-start": "A database that cannot be used prevents startup with a message that shows no password",
  "H-busy-start": "A service whose first reads of a busy database take too long waits for them, and says so",
  "H-connections": "A database without free connections gives 503 for what needs it, and recovers",
  "H-disk": "A full disk of the database costs no response, and records are written once there is space",
  "H-claim":
    "A claimed Idempotency-Key always has a recorded run: of one whose instance dies, that it was interrupted",
  "H-signal": "A service that is told to stop ends, also when its database does not answer",
  "S-divide":
    "Of a batch that cannot be written only the records are left out that are the cause, and the log names them",
  "S-storable": "A text of a request that no database can keep is refused by its path",
  "S-lost": "An instance that was declared dead tells every request that waits for its record",
  "B-webhook-bound":
    "Deliveries are bounded for each caller and host; the rest waits in the store, and none is dropped",
  "H-zombie":
    "A response is 503, never 200, if its run was not recorded and other instances may have the work",
  "H-lost": "An instance that others took for dead stops by itself",
  "H-restart":
    "PostgreSQL is killed and restarted in the middle: the service goes on, and what was acknowledged is there",
  "H-upgrade":
    "Instances of two versions work side by side during an upgrade; an older one does not start on a newer database",
  "H-calls":
    "Model calls are stored with their whole prompts and replies, bounded, without our keys, and can be opened and exported",
  "H-sorted": "The list of runs is sorted, counted and bounded in time, and names what was decided",
  "H-feed": "Who watches the list of runs is told which of them begin and end",
  "H-contract": "The history does the same in SQLite and in PostgreSQL",
  "A-background": "A run with Prefer: respond-async is answered with 202 and goes on without its client",
  "A-objects": "config.answer_schema gives an object as the answer, over HTTP, MCP and /v1",
  "P-service": "Panels, criteria, peer ranking and the operator's presets work over HTTP",
  "O-dashboard":
    "The queries of the example dashboard and of the docs name metrics and labels that the service has",
  "T-filter": "MCI_TOOLS_FILTER offers tools by name, tag or toolset",
  "T-dialects": "Tool calls work in the dialects of OpenAI, Anthropic and Google",
  "T-service": "MCI_TOOLS offers read-only tools to seats and voters, and only those; every call is recorded",
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
  "M-outage":
    "A provider that refuses calls for a while gets 90 % of the calls it had within 30 s of its last refusal; the limit is a metric",
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
  "A-health": "Liveness, readiness and Prometheus metrics",
  "A-task-metrics":
    "Gauges of tasks are those of the scrape; while the database cannot be asked there are none, instead of old ones",
  "A-idempotency": "The same Idempotency-Key gives the same answer, computed once",
  "A-metadata":
    "The metadata say how it was routed, what answered, how the vote went and what it cost; raw_output holds every answer as it was written",
  "A-openapi": "An OpenAPI description made from the code, which every answer fits",
  "A-openapi-lint": "The OpenAPI document has no lint problem",
  "A-schemas":
    "Responses, events and tasks are described once: the schemas have the fields of the engine's types, and pages and the console follow them",
  "A-runs": "The history of runs, one run, its events, and how to forget it",
  "A-slow": "A slow reader costs no memory and is cut off in the end",
  "A-vote": "A question comes back as a voting result under its two headings, k in the first",
  "A-endpoints":
    "Presets, panels, criteria, schemas, cache and webhooks are the same on /mcp/model, /v1 and MCP",
  "C-config": "A chat client chooses a preset by the model's name, and everything else with config",
  "B-webhook": "Webhooks go to allowed hosts only, signed and retried",
  "B-webhook-restart": "A webhook that is not delivered yet survives a kill of the service",
  "C-ai-sdk": "The AI SDK, LangChain and the openai packages get answers, streams and errors from /v1",
  "C-data-lines": "Streams of /v1 hold nothing but data lines",
  "C-format": "/v1 honours response_format",
  "C-hint": "A request to a path of the OpenAI API that is not served gets a hint",
  "C-tools": "/v1 refuses tools with a clear error, and shows each of its models",
  "C-answer":
    "The message of /v1 is the answer; the report comes with config.format, its facts in the council field",
  "C-parameters": "Parameters of /v1 about sampling are honoured, or refused by name",
  "C-ignored": "Fields of a chat request that change nothing are named in the warnings",
  "C-null": "Optional fields may be null",
  "AC-alive": "A stream begins at once and is kept alive while its vote runs, as its protocol allows",
  "AC-one-bad":
    "A provider that fails, is slow, limits or errs in one sample of three costs a step nothing but time",
  "AC-killed": "A service that is killed in mid-step loses nothing but that step, and answers its retry",
  "AC-protocols":
    "An agent that speaks chat completions, Responses or Messages has each step decided by a vote, whichever protocol the provider speaks",
  "AC-budget": "A step beyond the budget of its session is refused before any call",
  "AC-cancel": "A step is cancelled with its client, and the provider's sockets are closed with it",
  "AC-carried":
    "A provider of the agent's protocol gets the request as it came; what another cannot carry is refused by name, what it can do without is left out and said so",
  "AC-errors": "Errors have the shape of the agent's protocol, plain and in streams",
  "AC-seen":
    "A step is a run of the history with its session, headers that say how it was decided, and metrics",
  "AC-settings": "Steps take their settings from the request, its preset and MCI_ACT, in this order",
  "AC-side":
    "A request without tools is one call and returns exactly what the model said, streamed as it comes",
  "AC-dialects":
    "Every dialect of the table calls tools: side by side, streamed, with their ids, and refused",
  "AC-words": "A model that cannot call tools gets them in words",
  "C-plain": "OpenAI-compatible chat completions with four models, plain and streaming",
  "F-all": "When all calls fail there is an error, never an empty win",
  "F-budget":
    "max_calls refuses the next call; calls in flight may finish; max_tokens, max_usd and deadline_ms hold; what there is by then is shown as partial",
  "F-reserve": "Calls at the same time spend no more of the daily budget than one after the other",
  "F-daily": "The server's own limits hold beside the request's, per run and per day",
  "F-hang":
    "A client that is gone, DELETE, a deadline or a spent budget closes every connection to the provider",
  "F-retry": "Transport errors are not red flags: retried with backoff and Retry-After, counted apart",
  "F-retry-after": "A run that fails for a provider's rate limit passes its Retry-After on",
  "F-reused": "A connection that is cut on a reused socket is counted as a transport error",
  "F-seat": "Seats work side by side and fail alone, down to a quorum",
  "H-bearer": "Loopback by default; a bearer token wherever else",
  "H-body": "Bodies are capped, clients are limited",
  "H-ready": "/readyz shows no provider address without the token",
  "H-rebinding": "Host and Origin are checked",
  "L-2000": "Two thousand requests at once are answered or refused with Retry-After, in bounded memory",
  "M-finish":
    "One call per sample, the SDK's retries off, how it ended passed on as it is; Every kind of red flag discards an answer, and none is repaired",
  "M-makers": "Anthropic and Google are asked over their own APIs where their keys are set",
  "M-price": "Costs come from the provider or from prices, and are never made up",
  "M-quirk":
    "A parameter an endpoint refuses is left out from then on; nothing a prompt says can bring that about",
  "M-structured": "Structured answers are asked for by schema, or in words where an endpoint knows none",
  "M-transport": "One call per sample, the SDK's retries off, how it ended passed on as it is",
  "M-plain":
    "Text that is asked of chat completions is sent and read as the SDK would, and whatever else comes is the SDK's, asked once",
  "M-usage": "A provider that never ends, miscounts or repeats its key does no harm",
  "O-spans": "Spans in the words of gen_ai for whatever OpenTelemetry SDK there is",
  "P-http": "The four tools over MCP, by Streamable HTTP and stdio, for the official client and Inspector",
  "P-list":
    "The list of MCP tools is under 12 kB, and every client and provider accepts its schemas as they are",
  "P-prompt": "The prompt is called prompt everywhere; its earlier names are accepted",
  "P-tasks": "A tool call can be a task of MCP: polled, cancelled, found again after a restart",
  "Q-options": "Invalid arguments to exported functions are reported in the same way",
  "Q-words": "Validation messages name the field, what it may be and what it is",
  "S-search": "The history is searched by the words of prompts and results",
  "S-bad-start": "A bad setting prevents startup and is named",
  "S-degraded": "A failing store never loses an answer",
  "S-placeholders": "The simulated model fills answer_schema and response_format with placeholders",
  "S-no-confidence": "Where the model is simulated, no interface shows a confidence",
  "S-unknown": "An unknown setting is a warning that suggests the one that was meant",
  "S-drop-in": "The earlier project's settings work unchanged; OpenAI's names are the fallback",
  "S-durable": "With a data folder, the record of a run is on disk before its response leaves",
  "S-index": "Filters of the history use an index, however long it is",
  "S-key": "Key and prompt go where the settings say, which startup prints; a redirect is not followed",
  "S-kill": "The history survives a kill at any moment, and runs cut short are marked",
  "S-local": "Without a key, local model servers are detected",
  "S-room": "Runs are retained for a number of days and up to a number; the oldest are deleted first",
  "S-start":
    "Without either, a simulated model answers and says so at start, in /readyz and in every response",
  "TS-actions":
    "A task is paused, resumed, cancelled and forked over HTTP; what its status does not allow is a 409",
  "TS-answer": "A person answers a step that stayed undecided, and the task goes on",
  "TS-window": "A task respects the context window that a provider reports, as a run does",
  "TS-bulk": "Many tasks are counted, acted on and deleted by id or by filter, over HTTP and by the command",
  "TS-webhook": "A receiver gets a task when it ends, signed; a host that is not allowed is refused",
  "S-history": "The banner says where the history is, without user and password",
  "TS-budget": "What tasks have spent counts against the daily budget, also after a restart",
  "TS-command": "mci-council task runs a task with its progress, and watches and steers it at a service",
  "TS-create":
    "POST /tasks answers 202 with the task and its address; a mistake is a 400 that names the field",
  "TS-events": "A task's events can be followed, and resumed after any of them",
  "TS-key": "Requests with the same Idempotency-Key start one task; another task under that key is refused",
  "TS-lazy":
    "Without tasks nothing of PostgreSQL is loaded or started, and on a shared database nothing that runs tasks",
  "TS-mcp": "MCP clients start tasks and ask how far they are",
  "TS-metrics":
    "Steps, retries, recoveries, waiting tasks, takeovers, lost instances, waits for a connection and webhooks are metrics",
  "TS-settings": "Limit, retries and retention of tasks are those of the settings",
  "TS-missing": "Without the package for PostgreSQL a task is refused with the command that installs it",
  "TS-rate": "Rate limits do not throttle the steps of a task",
  "TS-schedule":
    "Schedules are stored, tried out, paused and deleted over HTTP and by the command; a mistake in times or task is a 400 that names the field",
  "TS-shared":
    "Services on one database are one: any of them follows, steers and continues a task of another",
  "TS-restart": "A task goes on after the service was restarted",
  "ACT-recipes":
    "The settings that the documentation gives for agents and chat clients are those that were tried",
  "ACT-frameworks":
    "Agent frameworks do a task right whose model errs: they know the service by its base URL alone",
  "M-key": "A key that a provider repeats is masked: as it is, encoded, and its beginning",
  "V-hostile": "No request blocks the event loop for 100 ms of processor time, whatever it holds",
} satisfies Requirements;
