import type { Requirements } from "./requirements.ts";

export default {
  "V-what-if": "Recorded votes are decided again under other settings by the tally that decided them",
  "A-answer":
    "The winner of a vote and the decision of a council are in metadata.answer; without one it is null",
  "A-bounded": "A schema of the answer costs bounded time and memory, or is refused before any call",
  "A-decompose":
    "A decomposition keeps its own form; a schema of the answer leads to the council or is refused",
  "A-schema": "With a schema of the answer, votes, seats and judge answer with objects of it",
  "A-vote-key": "Objects are one vote when what is voted on is equal; x-vote: false leaves fields out",
  "B-bare":
    "What an answer only repeats from its question does not count: sentences around it, letters of options",
  "AC-ballot":
    "Calls are one vote when tool and arguments mean the same: key order, equal numbers, defaults, calls side by side in any order; and no others are",
  "AC-errors": "A conversation that does not fit the model is told apart from a provider that fails",
  "AC-final": "A reply to the user is one vote whatever its words; in a form, it is voted on as an object",
  "AC-flags": "Samples that break the form of a call, the tools or tool_choice are discarded, never repaired",
  "AC-free":
    "Where actions differ in free text alone, the sample closest to all others is taken, if they are close enough",
  "AC-hostile":
    "A tool's schema that cannot be checked in bounded time is not checked, and that is said; patterns of settings are bounded",
  "AC-read": "An action that only reads takes k_read_only votes, any other k, or what k_by_tool says",
  "AC-single": "Without tools, with k = 1 or vote: never a step is one call, handed on as it is",
  "AC-undecided":
    "An undecided action is not taken: the user is asked, unless it only reads or the settings say otherwise",
  "AC-vote": "The next action of an agent is the one that is ahead by k, with no call too many",
  "B-choices": "Offered choices are found and become the only answers, with room for another",
  "B-clusters": "Clusters are reported with their members",
  "B-equivalence": "Free text that still differs is asked about in both orders, and remembered",
  "B-fuzz": "Whatever the answers: none is lost, no exact texts merge, the order does not matter",
  "B-forms": "Spellings of one answer have one canonical form, and different answers never do",
  "C-anonymous": "Proposals are anonymous, shuffled, and delimited against injection",
  "C-compact": "Small models, by name, context window or setting, get short prompts and bounded answers",
  "C-countable":
    "A council's answer to a matter of fact or a choice is one that a seat gave; on a fact the majority of the seats stands",
  "C-window": "The judge's input is bounded by its context window, and cuts are said",
  "C-confidence":
    "The agreement of a council comes from the seats' own answers, never from what the judge says about them",
  "C-config": "The model, num_voters and k reach the seats and the judge",
  "C-judge":
    "A failing judge is replaced by the next model, then by the best-supported proposal, and that is said",
  "C-ranking":
    "Seats rank the others' anonymous proposals; the Borda count stands beside the judge's decision",
  "C-prompts":
    "Prompts ask for reasons first, fit the kind of work, are short, and each sentence is explained",
  "C-quorum": "Seats work side by side and fail alone, down to a quorum",
  "C-red-flag": "A red flag in the verdict is surfaced as degraded",
  "C-report":
    "A decision or a review comes back as a council report under its two headings; the judge compares, then decides; positions and dissent are reported",
  "C-review":
    "Code, history, file path and other metadata reach the prompt; how to answer is said outside the delimiters",
  "C-seats": "Seats may have different models",
  "D-object":
    "A task comes back as a JSON object of steps; ids 1 to n, as many as announced, dependencies that exist and never lead back; else sampled again, in the end an error",
  "D-valid":
    "Ids 1 to n, as many as announced, dependencies that exist and never lead back; else sampled again, in the end an error",
  "E-clock": "No duration is negative when the clock is set back",
  "E-raw": "raw_output holds every answer as it was written",
  "E-sink": "Every arrow of the flow emits an event; a sink that fails costs no answer",
  "L-calls": "max_calls refuses the next call; calls in flight may finish",
  "L-server": "The server's own limits hold beside the request's, per run and per day",
  "L-speed":
    "Replies are limited to what the model can write in the time left, so that a run ends with a verdict inside its deadline",
  "L-tokens": "max_tokens, max_usd and deadline_ms hold; what there is by then is shown as partial",
  "L-usd":
    "max_tokens, max_usd and deadline_ms hold; what there is by then is shown as partial; costs come from the provider or from prices, and are never made up",
  "M-context": "A request longer than a model's context window is refused before any call",
  "M-invalid-json": "What a provider itself rejects as invalid JSON is a red flag",
  "M-limiter": "One limiter per provider and key; a run that cannot wait says when to come back",
  "M-output": "Output limits leave room for reasoning and can be set per request",
  "M-transport": "A connection error is reported as such, with its retries counted",
  "P-edges": "The engine knows no web server, no database and no environment",
  "Q-options": "Invalid arguments to exported functions are reported in the same way",
  "Q-valid":
    "Bad input is a 400 that lists every problem with its path, before any model call; num_voters and k go from 1 to 25",
  "Q-words": "Validation messages name the field, what it may be and what it is",
  "R-accuracy": "The rules are right about prompts they were not written for",
  "R-assisted": "A model may be asked instead where that is switched on",
  "R-fast": "Under a millisecond, without a model call",
  "R-intent": "An intent decides",
  "R-languages": "Questions and plans in seven languages are routed right, their options found",
  "R-rule": "Else rules on the prompt decide, and say which one did",
  "R-strategies": "Intents, MCP tools, chat models and the documentation come from one list of strategies",
  "S-seed":
    "Without either, a simulated model answers and says so at start, in /readyz and in every response",
  "TK-actions":
    "A task can only take the actions that its status allows; others are refused with what is possible",
  "TK-budget": "Limits on calls, tokens and money hold across all steps of a task",
  "TK-checks":
    "An answer that fails a check, or gives no next state, is red-flagged; a tool checks equal answers once",
  "TK-learn": "p, the length cap and k: auto are learned across steps, from a state that survives a restart",
  "TK-pause": "A step that cannot be decided pauses the task and says why",
  "TK-plan":
    "A step of a plan waits for its dependencies only; an undecided one blocks what depends on it and nothing else",
  "TK-plan-budget": "Steps of a plan that run side by side stay within the task's budget together",
  "TK-spec":
    "A mistake in a task's template, expression, schema or field is refused with its path before anything is spent",
  "V-all-failed": "When all calls fail there is an error, never an empty win",
  "V-auto": "k: auto aims at a target with what is known of the model",
  "V-cap":
    "Without a winner within the cap, or with a majority unlikely, that is said in the heading's place",
  "V-chance": "The chance of being right and the number of votes are those computed",
  "V-calibrated":
    "A confidence is stated only from measured outcomes, with the dependence between samples, and holds on held-out questions",
  "V-unused": "A setting that changed nothing in a run is named in its warnings",
  "V-vary": "Votes over wordings are right more often than resamples where mistakes depend on the wording",
  "V-cheap":
    "Cheap first: two wordings that agree end a vote; it goes on to k and is escalated only where they differ",
  "V-damage": "Broken JSON, two different objects, no answer, an answer outside the options: red flags",
  "P-criteria": "The criteria of a request are in the prompts of seats, judge and voters",
  "P-panel": "The models of a panel take the seats and the votes in turn; the judge has a model of its own",
  "P-preset": "A preset sets what the request leaves open; unknown ones are refused before any call",
  "T-tools":
    "Seats and voters call tools: equal calls once per run, results delimited, rounds, time and calls bounded",
  "V-dialect":
    "Reasoning in the text, a fence, words around the object, an envelope, extra keys, numbers as answers, an option by its letter: read, not flagged",
  "V-repetition":
    "A reply that repeats one piece again and again is a red flag, unless the question asks for it",
  "V-echo": "A reply that repeats the instruction, the schema or the question is a red flag",
  "V-wordings":
    "The samples of a vote differ in their wording, and in the order of choices; request and schema stay",
  "V-early-stop": "After k + 3 replies without one valid vote the run ends and names the rule that fired",
  "V-equivalence":
    "Free text that still differs is asked about in both orders, of a model that passed its self-test, and remembered; no false merge in 584 pairs with any model",
  "V-escalate": "An undecided vote is escalated where that is allowed",
  "V-hedge": "The hedge and speculation are off by default and reported apart",
  "V-length":
    "Too long is over 1.4 times the mean of the vote's answers; over 750 tokens until that mean is known",
  "V-need":
    "As many calls are in flight as votes are needed; the unanimous case takes one round; none is wasted",
  "V-open": "Where no two answers agree, the vote ends early and the council is asked or offered",
  "V-options":
    "An option may be given by its letter, its number or in a sentence, and none is ever counted for another one",
  "V-red-flag": "Every kind of red flag discards a reply, and none is repaired",
  "V-reducer": "First-to-ahead-by-k is a pure count",
  "V-refusal": "Refusals in many languages are red flags, also inside valid answers; unknown is an answer",
  "V-report":
    "A question comes back as a voting result under its two headings, k in the first; each sample in a wording of its own",
  "V-statistics":
    "As many calls are in flight as votes are needed; the unanimous case takes one round; none is wasted; the chance of being right and the number of votes are those computed",
  "V-hostile": "Replies, answers and decisions are read in linear time, however long they are",
  "V-transport": "Transport errors are not red flags: retried with backoff and Retry-After, counted apart",
  "X-cancel":
    "A client that is gone, DELETE, a deadline or a spent budget closes every connection to the provider",
} satisfies Requirements;
