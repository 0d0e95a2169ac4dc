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

/** Everyday words that named a function, a class or a type; as ordinary words and local variables they are free. */
const DECLARATIONS: Readonly<Record<string, string>> = {
  meant: "suggestion, union branch",
  "Words?": "Message, Substrings",
  Finding: "Diagnostic, CheckResult",
  Place: "JsonPath, Location",
  Entry: "LoadContext, CacheEntry",
  "take(?:[A-Z]\\w*)?|taken": "load, consume, read",
  refuse: "throwIfErrors, reject",
  "keep|kept": "writeCache",
  look: "statIfExists, visit",
  follow: "followRedirects, subscribe",
  "exchange|Exchange": "sendRequest",
  "Wire|wire": "WireRequest, api-schemas",
  Reply: "RawResponse",
  cut: "truncate",
  "proof|Proof": "credentials, report",
  shown: "displayUrl, describeValue",
  guarded: "publicOnly",
  "wait|go|abandon": "enqueue, dequeue, cancelPending",
  Transient: "RetryableError",
  forget: "invalidate",
  Flight: "PendingRequest",
  Running: "CallContext, ServerProcess",
  DROPPED: "OMITTED",
  told: "seen",
  nearest: "closestMatch",
  "hear|heard": "onMessage, observe",
  Approach: "HandshakeMode",
  Live: "PooledSession",
  "rest|retire|leave": "closeIfIdle, evict, release",
  "unsent|lost": "not_sent, connection_lost",
  understandable: "parseLenient",
  Reading: "TemplateUse",
  Spot: "Location",
  Failure: "CliError",
  Generation: "ClientVersion",
  Bell: "ChangeNotifier",
  Refusal: "HttpError",
  Listing: "ToolPages",
  announces: "listChanged",
  printable: "escapeControls",
  Spending: "BudgetTracker, TaskUsage",
  "draw|Drawn|Wanted": "sample, SampleResult, SampleRequest",
  "Sampler|Asked": "ModelClient, CallResult",
  settle: "resolveSettings",
  fence: "delimiter",
  trouble: "lastError",
  door: "handler",
  conduct: "executeRun",
  Front: "Channel",
  Ledger: "DailyBudget",
  Memory: "RunStatistics",
  Admission: "ConcurrencyLimiter",
  beat: "heartbeat",
  observed: "instrumentModel",
};

/** Where one of these words is the right one. */
const ALLOWED: readonly { readonly file: string; readonly word: string; readonly why: string }[] = [
  { file: "compare/run.ts", word: "draw", why: "draws the charts" },
  { file: "packages/mci/test/mcp/servers/workbench.ts", word: "wait", why: "the name of a tool that waits" },
];
/** The change log says what a name was before, and this file lists the words. */
const SKIPPED_FILES = new Set(["CHANGELOG.md", "package-lock.json", "test/docs/vocabulary.test.ts"]);
const SKIPPED_FOLDERS = new Set(["node_modules", "dist", ".git", "images", "recordings"]);

const any = (words: Readonly<Record<string, string>>) => Object.keys(words).join("|");
const phrase = new RegExp(`(?<![\\w-])(?:${any(PHRASES)})(?![\\w-])`, "i");
const name = new RegExp(`(?<!\\w)(?:${any(NAMES)})(?!\\w)`);
const declared = `(?<word>${any(DECLARATIONS)})`;
const declarations = [
  new RegExp(`\\b(?:function\\*?|class|interface|type)\\s+${declared}\\b(?!\\s*[,}])`),
  new RegExp(`\\bconst\\s+${declared}\\s*=\\s*(?:async\\s*)?(?:\\([^=()]*\\)|\\w+)\\s*(?::[^=]+)?=>`),
  new RegExp(`^  (?:(?:async|static|get) |\\*)*#?${declared}(?:<[^>]*>)?\\([^;]*\\{\\s*$`),
];
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
  expect(oldWordsIn(line, "a.ts")).toEqual([expect.stringContaining(word)]);
});

test.each([
  "The seats are taken in turn; no one is left out. Take care of the rest.",
  "const shown = names.slice(0, 3);",
  "const kept = (await list()).map(({ id }) => id);",
  "import { type Place, other } from './a.ts';",
])("ordinary English and local variables are free: %s", (line) => {
  expect(oldWordsIn(line, "a.ts")).toEqual([]);
});

test("every exception is needed", () => {
  const unused = ALLOWED.filter(({ file, word }) => {
    const text = readFileSync(join(root, file), "utf8");
    return !text.split("\n").some((line) => oldWord(line, file)?.includes(word));
  });
  expect(unused).toEqual([]);
});

function oldWordsIn(text: string, file: string): string[] {
  return text.split("\n").flatMap((line, index) => {
    const word = oldWord(line, file);
    const isAllowed = ALLOWED.some((each) => each.file === file && word?.includes(each.word));
    return word === undefined || isAllowed ? [] : [`${file}:${index + 1}: ${word}`];
  });
}

function oldWord(line: string, file: string): string | undefined {
  const patterns = [phrase, name, ...(/\.(?:tsx?|mts|m?js)$/.test(file) ? declarations : [])];
  for (const pattern of patterns) {
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
