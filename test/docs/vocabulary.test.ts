import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./markdown.ts";

// A thing is called what its field calls it. These words were private ones; what replaced them is beside them.

/** In every text: code, comments, messages, tests and pages. */
const PHRASES: Readonly<Record<string, string>> = {
  "doors?": "endpoint, interface",
  "kept (list|days)": "cached tool list, TTL",
  "grow[sn]? stale": "expires",
  "(stops?|prevents?|since|at|on) the start(?! of|\\w|[,;:)]| \\|)": "startup",
  "(asked|starts?|begins?) anew": "retried, sent again, starts again",
  "tak(e|es|en|ing) in(?! turns?\\b)": "import, include",
  "(a|of|the) sounds?": "audio",
  "puts? off": "input required, deferred",
  "doubts?": "warning, uncertainty",
  "in earnest": "in production",
  "under ?way": "in flight, running",
  "never structure": "injection-safe",
  "who may come": "access control",
  "nobody|somebody|whoever": "what really acts",
  "(the|its|an) answers? of (the|a) server": "response",
};

/** Names that mean nothing but what they were given for: none of them stands anywhere. */
const NAMES: Readonly<Record<string, string>> = {
  keepSpelling: "restoreRawNumbers",
  brokenRules: "checkSemantics",
  SoundParts: "ValidParts",
  lookCloser: "collectTemplateErrors",
  giveUp: "onAbort",
  saysNothing: "hasNoPermissions",
  keptDays: "cacheTtlDays",
  withoutEchoes: "dropCascadingErrors",
  McpTimes: "McpTimeouts",
  askMcpServers: "fetchMcpTools",
  blameEnv: "explainEnvError",
  strayed: "leftTrustedOrigin",
  HARMLESS: "CROSS_ORIGIN_SAFE",
  unlessAborted: "raceAbort",
  tellEnv: "reportSecrets",
  "readSmall|read-small": "readSync",
  endTree: "terminateTree",
  "putOff|put-off": "inputRequired",
  answerable: "errorIfMalformed",
  neverHold: "unref",
  "code-from-values": "shell-injection",
  "credentials-to-caller": "credential-leak",
  lookalikes: "foreign-syntax",
  "[sS]urroundings": "environment-checks, RunDependencies",
  Toolbox: "ReloadableClient",
  "hangOn|rung\\(": "watch, next",
  heed: "forwardCancel",
  StdioWire: "StdioTransport",
  loadVisibly: "loadWithProgress",
  patiently: "withTimeout",
  CommandWords: "CompletionSpec",
  holdElection: "runVote",
  holdSeats: "collectProposals",
  "ballotBox|ballot-box": "clusters",
  nothingToShow: "noResultError",
  own_rule: "custom_rule",
  hope_lost: "unlikely_majority",
  "routing-words": "routing-patterns",
  troubleOf: "formatLogError",
  takeTurn: "withSlot",
  makeRoom: "evictOldest",
  underWay: "inFlight",
  "(MOST|LONGEST)_[A-Z]\\w*": "MAX_",
  "\\w*(FAREWELL|GOODBYE|PATIENCE|LAST_BREATH)\\w*": "_TIMEOUT_MS",
  BEYOND_BELIEF: "MAX_TOKEN_FACTOR",
};

/** Everyday words that named a function, a class or a type of a folder; as words, as local variables and elsewhere they are free. */
const DECLARATIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "": {
    Finding: "Diagnostic, CheckResult",
    Place: "JsonPath, Location",
    Transient: "RetryableError",
    Flight: "PendingRequest",
    Approach: "HandshakeMode",
    Spot: "Location",
    Generation: "ClientVersion",
    Bell: "ChangeNotifier",
    Listing: "ToolPages",
    Spending: "BudgetTracker, TaskUsage",
    "Drawn|Wanted|Asked": "SampleResult, SampleRequest, CallResult",
    Front: "Channel",
    Ledger: "DailyBudget",
    Admission: "ConcurrencyLimiter",
    "unlessAborted|nearest|printable": "raceAbort, closestMatch, escapeControls",
    "door|conduct|trouble": "handler, executeRun, lastError",
  },
  "packages/mci/src/": {
    "Words?": "Message",
    Entry: "LoadContext",
    "take(?:[A-Z]\\w*)?|taken": "load, applyFilter",
    "refuse|keep|look|meant": "throwIfErrors, writeCache, statIfExists, union branch",
    "follow|exchange|judge|cut": "followRedirects, sendRequest, throwOnStatus, truncated",
    "Wire|Reply|Running|Live|Reading": "WireRequest, RawResponse, CallContext, PooledSession, TemplateUse",
    "proof|shown|guarded": "credentials, displayUrl, publicOnly",
    "wait|go|abandon|forget": "enqueue, dequeue, cancelPending, invalidate",
    "told|hear": "seen, onMessage",
    "rest|retire|leave": "closeIfIdle, evict, release",
    "unsent|lost": "not_sent, connection_lost",
    "DROPPED|understandable": "OMITTED, parseLenient",
  },
  "packages/cli/src/": {
    "Failure|Refusal": "CliError, HttpError",
    "announces|within|join": "listChanged, withTimeout, track",
  },
  "packages/council/src/": {
    "draw|settle|race|fence": "sample, resolveSettings, voteLoop, delimiter",
    "Sampler|Failure": "ModelClient, FailedRequest",
  },
  "packages/server/src/": {
    "Memory|wire|beat|heard|observed": "RunStatistics, api-schemas, heartbeat, observe, instrumentModel",
  },
};

/** The change log says what a name was before, and this file lists the words. */
const SKIPPED_FILES = new Set(["CHANGELOG.md", "package-lock.json", "test/docs/vocabulary.test.ts"]);
const SKIPPED_FOLDERS = new Set(["node_modules", "dist", ".git", "images", "recordings"]);

const any = (words: Readonly<Record<string, string>>) => Object.keys(words).join("|");
const phrase = new RegExp(`(?<![\\w-])(?:${any(PHRASES)})(?![\\w-])`, "i");
const name = new RegExp(`(?<!\\w)(?:${any(NAMES)})(?!\\w)`);
const declarations = Object.entries(DECLARATIONS).flatMap(([folder, words]) => {
  const word = `(?:${any(words)})`;
  return [
    `\\b(?:function\\*?|class|interface|type)\\s+${word}\\b(?!\\s*[,}])`,
    `\\bconst\\s+${word}\\s*=\\s*(?:async\\s*)?(?:\\([^=()]*\\)|\\w+)\\s*(?::[^=]+)?=>`,
    `^  (?:(?:async|static|get) |\\*)*#?${word}(?:<[^>]*>)?\\([^;]*\\{\\s*$`,
  ].map((pattern) => ({ folder, pattern: new RegExp(pattern) }));
});
/** Files that were named so; one named after its class is found by that. */
const FILE_NAMES =
  /^(?:meant|wording|doubts|put-off|look|read-small|line|surroundings|toolbox|bell|listing|refusal|settle|draw|sampler|ballot-box|fence|routing-words|trouble|door|conduct|front|ledger|memory|admission|sim)$/;

const files = filesBelow("").filter((file) => /\.(?:tsx?|mts|m?js|py|md|json|ya?ml|css|html|sh)$/.test(file));

test("no text, name or file has one of the old words", () => {
  const found = files.flatMap((file) => [
    ...oldWordsIn(readFileSync(join(root, file), "utf8"), file),
    ...(FILE_NAMES.test(basename(file).split(".")[0]!) ? [`${file}: its name`] : []),
  ]);
  expect(files.length).toBeGreaterThan(1000);
  expect(found).toEqual([]);
});

test.each([
  ["// Nobody opens it.", "Nobody"],
  ["The service has two doors.", "doors"],
  ["A toolset takes in no further ones.", "takes in"],
  ["const LONGEST_WAIT = 5;", "LONGEST_WAIT"],
  ["export function blameEnv() {", "blameEnv"],
  ["interface Place {", "interface Place"],
  ["  async *follow(after = 0): AsyncGenerator<Envelope> {", "follow"],
  ["  #take(pattern: RegExp): string {", "#take"],
  ["const look = (holder: object) => {", "const look"],
])("the search finds an old word in %j", (line, word) => {
  expect(oldWordsIn(line, "packages/mci/src/a.ts")).toEqual([expect.stringContaining(word)]);
});

test.each([
  "The seats are taken in turn; no one is left out. Take care of the rest.",
  "const shown = names.slice(0, 3);",
  "const kept = (await list()).map(({ id }) => id);",
  "import { type Place, other } from './a.ts';",
])("ordinary English and local variables are free: %s", (line) => {
  expect(oldWordsIn(line, "packages/mci/src/a.ts")).toEqual([]);
});

function oldWordsIn(text: string, file: string): string[] {
  return text.split("\n").flatMap((line, index) => {
    const word = oldWord(line, file);
    return word === undefined ? [] : [`${file}:${index + 1}: ${word}`];
  });
}

function oldWord(line: string, file: string): string | undefined {
  const ofFile = declarations.filter(({ folder }) => file.startsWith(folder));
  const isCode = /\.(?:tsx?|mts|m?js)$/.test(file);
  for (const pattern of [phrase, name, ...(isCode ? ofFile.map((each) => each.pattern) : [])]) {
    const match = pattern.exec(line);
    if (match) return match[0];
  }
  return undefined;
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return SKIPPED_FOLDERS.has(entry.name) ? [] : filesBelow(path);
    return entry.isFile() && !SKIPPED_FILES.has(path) ? [path] : [];
  });
}
