/**
 * What the council promises, and the tests that hold it to that: every id stands in brackets in the title of at least one
 * test of `packages/council` or `packages/server`, and every id found there is listed here (`council-promises.test.ts` looks).
 * A promise that changes is changed here first.
 */
export const COUNCIL_PROMISES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "POST /mcp/model": {
    "A decision or a review comes back as a council report under its two headings": ["A-council", "C-report"],
    "A task comes back as a JSON object of steps": ["A-decompose", "D-object"],
    "A question comes back as a voting result under its two headings, k in the first": ["A-vote", "V-report"],
    "Bad input is a 400 that lists every problem with its path, before any model call": ["A-400", "Q-valid"],
    "Arguments of the wrong kind to what the packages export are told in the same way": ["Q-options"],
    "Every error has a code, a status and a meaning, all of them on one page": ["A-errors"],
    "What is wrong is told in sentences: which field, what it may be, what it is": ["Q-words"],
    "num_voters and k go from 1 to 25": ["A-400", "Q-valid"],
    "The metadata say how it was routed, what answered, how the vote went and what it cost": ["A-metadata"],
    "raw_output holds every answer as it was written": ["E-raw", "A-metadata"],
    "Accept: text/event-stream streams the deliberation in versioned envelopes and ends in the same body": [
      "A-stream",
      "A-accept",
      "A-eventsource",
    ],
    "A slow reader costs no memory and is cut off in the end": ["A-slow"],
    "A reader that leaves costs nothing, not even a line in the log": ["A-cut"],
    "The same Idempotency-Key gives the same answer, computed once": ["A-idempotency"],
  },
  "Stopping and budgets": {
    "A client that is gone, DELETE, a deadline or a spent budget closes every connection to the provider": [
      "F-client-gone",
      "F-delete",
      "F-hang",
      "F-tokens",
      "M-abort",
      "P-cancel",
      "X-cancel",
    ],
    "max_calls refuses the next call; those under way may finish": ["L-calls", "F-budget"],
    "max_tokens, max_usd and deadline_ms hold; what there is by then is shown as partial": [
      "L-tokens",
      "L-usd",
      "L-deadline",
      "F-budget",
    ],
    "The server's own limits hold beside the request's, per run and per day": ["L-server", "F-daily"],
    "Costs come from the provider or from prices, and are never made up": ["L-usd", "M-price"],
    "No time is negative when somebody sets the clock": ["E-clock"],
  },
  "Other doors": {
    "The four tools over MCP, by Streamable HTTP and stdio, for the official client and Inspector": [
      "P-http",
      "P-stdio",
      "P-inspector",
    ],
    "OpenAI-compatible chat completions with four models, plain and streaming": [
      "C-plain",
      "C-stream",
      "C-failure",
    ],
    "Liveness, readiness and Prometheus metrics": ["A-health", "A-metrics"],
    "An OpenAPI description made from the code, which every answer fits": ["A-openapi"],
    "The history of runs, one run, its events, and how to forget it": ["A-runs"],
    "Spans in the words of gen_ai for whatever OpenTelemetry SDK there is": ["O-spans"],
  },
  "Who may call": {
    "Loopback by default; a bearer token wherever else": ["S-defaults", "H-token", "H-bearer"],
    "Host and Origin are checked": ["H-host", "H-origin", "H-rebinding"],
    "Bodies are capped, clients are limited": ["H-body", "H-rate"],
    "Two thousand requests at once are answered or told when to come back, in bounded memory": ["L-2000"],
  },
  "Settings and models": {
    "The earlier project's settings work unchanged; OpenAI's names are the fallback": [
      "S-drop-in",
      "S-fallback",
    ],
    "A bad setting stops the start and is named": ["S-bad-setting", "S-bad-start"],
    "Without a key a local model server is looked for": ["S-local"],
    "Without either, a simulated model answers and says so at start, in /readyz and in every response": [
      "S-start",
      "A-simulated",
      "S-honest",
      "S-shape",
      "S-seed",
    ],
    "Structured answers are asked for by schema, or in words where an endpoint knows none": ["M-structured"],
    "A parameter an endpoint refuses is left out from then on; nothing a prompt says can bring that about": [
      "M-quirk",
    ],
    "Anthropic and Google are asked over their own APIs where their keys are set": ["M-makers"],
    "Key and prompt go where the settings say, which the start tells: a redirect is not followed": [
      "M-redirect",
      "S-key",
    ],
    "What a provider itself rejects as invalid JSON is a red flag": ["M-invalid-json"],
    "One limiter per provider and key; a run that cannot wait says when to come back": ["M-limiter"],
    "One call per sample, the SDK's retries off, how it ended passed on unmended": [
      "M-transport",
      "M-finish",
    ],
    "A provider that never ends, miscounts or repeats its key does no harm": [
      "M-endless",
      "M-usage",
      "M-secret",
    ],
  },
  Routing: {
    "An intent decides": ["R-intent"],
    "Else rules on the prompt decide, and say which one did": ["R-rule"],
    "The rules are right about prompts they were not written for": ["R-accuracy"],
    "Under a millisecond, without a model call": ["R-fast"],
    "A model may be asked instead where that is switched on": ["R-assisted"],
  },
  Voting: {
    "First-to-ahead-by-k is a pure count": ["V-reducer"],
    "As many calls are in flight as votes are needed; the unanimous case takes one round; none is wasted": [
      "V-need",
      "V-one-round",
      "V-statistics",
    ],
    "The first call at temperature 0, the others at 0.1": ["V-report"],
    "The hedge and speculation are off by default and reported apart": ["V-hedge", "V-speculation"],
    "Offered choices are found and become the only answers, with room for another": [
      "B-choices",
      "V-choices",
    ],
    "Spellings of one answer have one canonical form, and different answers never do": [
      "B-forms",
      "B-numbers",
      "B-pairs",
    ],
    "Free text that still differs is asked about once, and remembered": ["B-equivalence", "V-equivalence"],
    "Clusters are reported with their members": ["B-clusters", "V-equivalence"],
    "Every kind of red flag discards an answer, and none is mended": ["V-red-flag", "M-finish"],
    "Too long is over 1.4 times the mean of the vote's answers; over 750 tokens until that mean is known": [
      "V-length",
    ],
    "Transport errors are no red flags: retried with backoff and Retry-After, counted apart": [
      "V-transport",
      "F-retry",
    ],
    "Without a winner within the cap, or without hope, that is said in the heading's place": [
      "V-cap",
      "V-hope",
      "V-undecided",
    ],
    "An undecided vote is escalated where that is allowed": ["V-escalate"],
    "When all calls fail there is an error, never an empty win": ["V-all-failed", "F-all"],
    "k: auto aims at a target with what is known of the model": ["V-auto", "V-k-min"],
    "The chance of being right and the number of votes are those computed": ["V-chance", "V-statistics"],
    "k, the model and the cap of a request reach the calls they name": ["V-config"],
  },
  Council: {
    "Seats work side by side and fail alone, down to a quorum": ["C-parallel", "C-quorum", "F-seat"],
    "Seats may have different models": ["C-seats"],
    "Proposals are anonymous, shuffled, and fenced against injection": ["C-anonymous"],
    "The judge compares, then decides; positions and dissent are reported": ["C-report", "C-positions"],
    "A failing judge is replaced by the next model, then by the best-supported proposal, and that is said": [
      "C-judge",
      "F-judge",
    ],
    "A red flag in the verdict is surfaced as degraded": ["C-red-flag"],
    "config.model, num_voters and k reach the seats and the judge": ["C-config"],
    "Code, history, file path and other metadata reach the prompt; how to answer is said outside the fences":
      ["C-context", "C-instructions", "C-review"],
  },
  Decomposition: {
    "Ids 1 to n, as many as announced, dependencies that exist and never lead back; else drawn again, in the end an error":
      ["D-valid", "D-object"],
  },
  "Engine and history": {
    "The engine knows no web server, no database and no environment": ["P-edges"],
    "Every arrow of the flow emits an event; a sink that fails costs no answer": ["E-arrows", "E-sink"],
    "The history survives a kill at any moment, and runs cut short are marked": [
      "S-kill",
      "S-kill-run",
      "S-orphans",
    ],
    "A failing store never loses an answer": ["S-disk-full", "S-degraded"],
    "Runs are kept for so many days and up to so many; the oldest make room for new ones": [
      "S-retention",
      "S-room",
    ],
  },
};
