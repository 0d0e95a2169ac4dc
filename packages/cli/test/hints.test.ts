import { expect, test } from "vitest";
import { collectHints, showsHint } from "../../../test/hints/collect-hints.ts";
import { mciHere } from "./in-process.ts";
import { folder } from "./mci.ts";

/** A command line that fails, the hint it gets, and the one that works when the hint is followed. */
interface Row {
  readonly wrong: readonly string[];
  /** Its groups are what the hint suggests to write. */
  readonly hint: RegExp;
  readonly right: (...suggested: string[]) => readonly string[];
  /** Besides `mci.json` with three tools. */
  readonly files?: Readonly<Record<string, string | object>>;
  /** Files that the hint says to write or change. */
  readonly fix?: (...suggested: string[]) => Readonly<Record<string, string | object>>;
  readonly env?: Readonly<Record<string, string>>;
  /** What standard output then contains. */
  readonly prints?: string;
}

const input = (properties: object) => ({ inputSchema: { type: "object", properties } });
const MCI = {
  schemaVersion: "1.0",
  tools: [
    { name: "hi", execution: { type: "text", text: "Hi" } },
    {
      name: "say",
      ...input({ word: { type: "string" } }),
      execution: { type: "text", text: "{{props.word | '-'}}" },
    },
    { name: "slow", execution: { type: "cli", command: "sleep", args: ["0.5"] } },
  ],
};
const SET = { schemaVersion: "1.0", tools: [{ name: "a", execution: { type: "text", text: "A" } }] };
const OPENAPI = {
  openapi: "3.1.0",
  info: { title: "Pets", version: "1" },
  servers: [{ url: "https://pets.example" }],
  paths: { "/pets": { get: { operationId: "listPets", responses: { 200: { description: "ok" } } } } },
};
const POSTMAN = {
  info: { name: "P", schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
  item: [{ name: "Get", request: { method: "GET", url: "https://pets.example/pets" } }],
};
const tool = (execution: object) => ({ schemaVersion: "1.0", tools: [{ name: "t", execution }] });
const http = (more: object) => tool({ type: "http", ...more });

const PUBLISHED = {
  schemaVersion: "1.0",
  metadata: { name: "io.github.me/tools", description: "X", version: "1.0.0" },
  tools: [],
};

const ROWS: Readonly<Record<string, Row>> = {
  "a login that does not exist": {
    wrong: ["logout", "nobody"],
    hint: /'mci (logins)' lists them; (--all) removes all\./,
    right: (_, all) => ["logout", all!],
  },
  "a limit without a search": {
    wrong: ["list", "--limit", "5"],
    hint: /Add (--search) QUERY\./,
    right: (search) => ["list", "--limit", "5", search!, "say"],
    prints: "say",
  },
  "a limit that is not a number": {
    wrong: ["list", "--search", "say", "--limit", "many"],
    hint: /Write a whole number, e\.g\. --limit (5)\./,
    right: (limit) => ["list", "--search", "say", "--limit", limit!],
    prints: "say",
  },
  "a query whose name is a key": {
    wrong: ["import", "curl", "curl 'https://pets.example/pets?ghp_0123456789abcdefghijABCDEFGHIJ012345'"],
    hint: /Give it a name of its own \((key)=VALUE\)/,
    right: (key) => [
      "import",
      "curl",
      `curl 'https://pets.example/pets?${key}=ghp_0123456789abcdefghijABCDEFGHIJ012345'`,
    ],
  },
  "an option without its value": {
    wrong: ["list", "--filter"],
    hint: /Write (--filter)=\S+\.$/,
    right: (option) => ["list", `${option}=only:hi`],
    prints: "hi",
  },
  "a server and a file": {
    wrong: ["call", "hi", "--server", "no-such-program", "-f", "mci.json"],
    hint: /Leave one of them out/,
    right: () => ["call", "hi", "-f", "mci.json"],
    prints: "Hi",
  },
  "a filter that no tool passes": {
    wrong: ["list", "--filter", "only:unlike-any-tool"],
    hint: /'mci (list)' without a filter shows them all/,
    right: (list) => [list!],
    prints: "hi",
  },
  "a tool that is not named": {
    wrong: ["call"],
    hint: /Run 'mci (help call)' for examples/,
    right: (help) => help!.split(" "),
    prints: "mci call",
  },
  "an argument too many": {
    wrong: ["list", "x"],
    hint: /Run 'mci (help list)' to see what 'list' takes/,
    right: (help) => help!.split(" "),
    prints: "--filter",
  },
  "--json": {
    wrong: ["call", "hi", "--json"],
    hint: /Write (--format json)\./,
    right: (option) => ["call", "hi", ...option!.split(" ")],
    prints: '"Hi"',
  },
  "a property with dashes": {
    wrong: ["call", "say", "--word", "x"],
    hint: /Properties have no dashes: (word=)VALUE\. Run 'mci help call' to see its options/,
    right: (pair) => ["call", "say", `${pair}x`],
    prints: "x",
  },
  "a choice that is not one": {
    wrong: ["list", "--format", "xml"],
    hint: /Use one of: (\w+)/,
    right: (choice) => ["list", "--format", choice!],
    prints: "hi",
  },
  "a command that is not one": {
    wrong: ["frobnicate"],
    hint: /Run 'mci (help)' to see every command/,
    right: (help) => [help!],
    prints: "validate",
  },
  "an option before its command": {
    wrong: ["--filter", "only:hi", "list"],
    hint: /Write mci (.*)$/,
    right: (line) => line!.split(" "),
    prints: "hi",
  },
  "a word that is not a property": {
    wrong: ["call", "say", "two", "words"],
    hint: /Write (KEY=VALUE); quote it if it holds spaces/,
    right: () => ["call", "say", "word=two words"],
    prints: "two words",
  },
  "a property given twice": {
    wrong: ["call", "say", "word=a", "word=b"],
    hint: /Give it once/,
    right: () => ["call", "say", "word=a"],
    prints: "a",
  },
  "parameters that are not JSON": {
    wrong: ["call", "say", "--params", "{word: 1"],
    hint: /Write a JSON object: --params '(\{.*\})'/,
    right: (json) => ["call", "say", "--params", json!],
    prints: "Ada",
  },
  "parameters that are not an object": {
    wrong: ["call", "say", "--params", "[1]"],
    hint: /For example: --params '(\{.*\})'/,
    right: (json) => ["call", "say", "--params", json!],
    prints: "Ada",
  },
  "a property that the tool does not have": {
    wrong: ["call", "say", "wrd=a"],
    hint: /Run 'mci show say' to see what it takes\./,
    right: () => ["show", "say"],
    prints: "word",
  },
  "a value that starts with @": {
    wrong: ["call", "say", "word=@ada"],
    hint: /Write (@@) for a value that starts with @/,
    right: (at) => ["call", "say", `word=${at}ada`],
    prints: "@ada",
  },
  "an output file that cannot be written": {
    wrong: ["call", "hi", "--output", "no/such/folder/x.txt"],
    hint: /Check the path given with (--output)/,
    right: (option) => ["call", "hi", option!, "x.txt"],
  },
  "a call that takes too long": {
    wrong: ["call", "slow", "--timeout", "50"],
    hint: /Give it more time with (--timeout)/,
    right: (option) => ["call", "slow", option!, "20000"],
  },
  "a timeout that is not a number": {
    wrong: ["call", "hi", "--timeout", "5s"],
    hint: /Write milliseconds, e\.g\. (--timeout 5000)/,
    right: (option) => ["call", "hi", ...option!.split(" ")],
    prints: "Hi",
  },
  "an MCP timeout that is not a number": {
    wrong: ["list", "--mcp-timeout", "1m"],
    hint: /Write milliseconds, e\.g\. (--mcp-timeout 60000)/,
    right: (option) => ["list", ...option!.split(" ")],
    prints: "hi",
  },
  "a variable that is unset": {
    wrong: ["validate", "--strict"],
    files: { "mci.json": http({ url: "{{env.BASE}}/x" }) },
    hint: /set it in .env.mci or the environment, or write a fallback: (\{\{env\.BASE \| 'value'\}\})/,
    fix: (fallback) => ({
      "mci.json": http({ url: `${fallback!.replace("value", "https://x.example")}/x` }),
    }),
    right: () => ["validate", "--strict"],
  },
  "a variable that is unset, set in .env.mci": {
    wrong: ["validate", "--strict"],
    files: { "mci.json": http({ url: "{{env.BASE}}/x" }) },
    hint: /set it in (\.env\.mci)/,
    fix: (file) => ({ [file!]: "BASE=https://x.example\n" }),
    right: () => ["validate", "--strict"],
  },
  "a variable that is empty": {
    wrong: ["validate", "--strict", "--env", "BASE="],
    files: { "mci.json": http({ url: "https://x.example/{{env.BASE}}" }) },
    hint: /give it a value/,
    right: () => ["validate", "--strict", "--env", "BASE=b"],
  },
  "a program that is not installed": {
    wrong: ["validate", "--strict"],
    files: {
      "mci.json": { ...MCI, tools: [{ name: "t", execution: { type: "cli", command: "nope-nope" } }] },
    },
    hint: /install it, or correct the command/,
    fix: () => ({
      "mci.json": { ...MCI, tools: [{ name: "t", execution: { type: "cli", command: "node" } }] },
    }),
    right: () => ["validate", "--strict"],
  },
  "--env without a value": {
    wrong: ["list", "--env", "A"],
    hint: /Write (--env) NAME=value/,
    right: (option) => ["list", option!, "A=1"],
    prints: "hi",
  },
  "an env file that is missing": {
    wrong: ["list", "--dotenv", "nope.env"],
    hint: /Check the path given with (--dotenv)/,
    files: { "own.env": "A=1\n" },
    right: (option) => ["list", option!, "own.env"],
    prints: "hi",
  },
  "the name that Node.js has for env files": {
    wrong: ["list", "--env-file", "own.env"],
    hint: /Write (--dotenv) FILE\.$/,
    files: { "own.env": "A=1\n" },
    right: (option) => ["list", option!, "own.env"],
    prints: "hi",
  },
  "the name that mcix has for the file": {
    wrong: ["add", "s", "--path", "mci.json"],
    hint: /Write (--file) FILE\.$/,
    files: { "mci/s.mci.json": SET },
    right: (option) => ["add", "s", option!, "mci.json"],
    prints: "Added",
  },
  "a proxy address that is not one": {
    wrong: ["call", "hi"],
    env: { HTTPS_PROXY: "not an address" },
    hint: /Correct it, or unset (HTTPS_PROXY)/,
    right: () => ["call", "hi"],
    prints: "Hi",
  },
  "a folder in place of the file": {
    wrong: ["list", "--file", "sub"],
    files: { "sub/mci.json": MCI },
    hint: /Name the file itself: (--file mci\.json)/,
    right: (option) => ["list", ...option!.split(" ")],
    prints: "hi",
  },
  "a file of another kind": {
    wrong: ["list", "--file", "tools.txt"],
    files: { "tools.txt": JSON.stringify(MCI) },
    hint: /Rename it to (\.json), \.yaml or \.yml/,
    fix: (extension) => ({ [`tools${extension}`]: MCI }),
    right: (extension) => ["list", "--file", `tools${extension}`],
    prints: "hi",
  },
  "another version": {
    wrong: ["list"],
    files: { "mci.json": { ...MCI, schemaVersion: "2.0" } },
    hint: /Set schemaVersion to ("1\.0")/,
    fix: (version) => ({ "mci.json": { ...MCI, schemaVersion: JSON.parse(version!) } }),
    right: () => ["list"],
    prints: "hi",
  },
  "input that does not fit": {
    wrong: ["call", "say", "--params", '{"word": {}}'],
    hint: /Run 'mci (list --verbose)' to see what each tool takes/,
    right: (line) => line!.split(" "),
    prints: "word",
  },
  "a toolset that is missing": {
    wrong: ["list"],
    files: { "mci.json": { ...MCI, toolsets: ["set"] }, "mci/other.mci.json": SET },
    hint: /Put the toolset into the library folder, or correct its name under toolsets/,
    fix: () => ({ "mci/set.mci.json": SET }),
    right: () => ["list"],
    prints: "hi",
  },
  "several files": {
    wrong: ["list", "--file", "nope.json"],
    hint: /Check the path given with (--file), or run 'mci init' to create a file/,
    right: (option) => ["list", option!, "mci.json"],
    prints: "hi",
  },
  "a path outside of the folder": {
    wrong: ["call", "t"],
    files: { "mci.json": tool({ type: "file", path: "/etc/hosts" }) },
    hint: /allow its folder in (directoryAllowList) of the file, or set enableAnyPaths/,
    fix: (setting) => ({
      "mci.json": { ...tool({ type: "file", path: "/etc/hosts" }), [setting!]: ["/etc"] },
    }),
    right: () => ["call", "t"],
  },
  "a variable that a call needs": {
    wrong: ["call", "t"],
    files: { "mci.json": tool({ type: "text", text: "{{env.WHO}}" }) },
    hint: /set it with (--env) NAME=VALUE, in \.env\.mci, or in the environment/,
    right: (option) => ["call", "t", option!, "WHO=Ada"],
    prints: "Ada",
  },
  "a property that a call needs": {
    wrong: ["call", "say"],
    files: {
      "mci.json": {
        ...MCI,
        tools: [{ ...MCI.tools[1], execution: { type: "text", text: "Hi {{props.word}}" } }],
      },
    },
    hint: /give it: (word=)VALUE/,
    right: (pair) => ["call", "say", `${pair}Ada`],
    prints: "Hi Ada",
  },
  "a program that is missing": {
    wrong: ["call", "t"],
    files: { "mci.json": tool({ type: "cli", command: "nope-nope" }) },
    hint: /install the program, or correct the tool's command/,
    fix: () => ({ "mci.json": tool({ type: "cli", command: "echo", args: ["Hi"] }) }),
    right: () => ["call", "t"],
    prints: "Hi",
  },
  "a program that takes longer than it may": {
    wrong: ["call", "t"],
    files: { "mci.json": tool({ type: "cli", command: "sleep", args: ["0.4"], timeout_ms: 50 }) },
    hint: /raise (timeout_ms) of the tool if it needs longer/,
    fix: (setting) => ({
      "mci.json": tool({ type: "cli", command: "sleep", args: ["0.4"], [setting!]: 20_000 }),
    }),
    right: () => ["call", "t"],
  },
  "no file": {
    wrong: ["list"],
    files: { "mci.json": "" },
    hint: /begin with (\{.*\})/,
    fix: (beginning) => ({ "mci.json": beginning! }),
    right: () => ["list"],
  },
  "a filter without its type": {
    wrong: ["list", "--filter", "hi"],
    hint: /The type is one of: .*\. For example: (--filter only:)my_tool/,
    right: (option) => ["list", ...`${option}hi`.split(" ")],
    prints: "hi",
  },
  "a filter of another type": {
    wrong: ["list", "--filter", "names:hi"],
    hint: /Valid types are: (\w+)/,
    right: (type) => ["list", "--filter", `${type}:hi`],
    prints: "hi",
  },
  "a filter without values": {
    wrong: ["list", "--filter", "only:"],
    hint: /Write them after the colon: (--filter only:)a,b/,
    right: (option) => ["list", ...`${option}hi,say`.split(" ")],
    prints: "say",
  },
  "a filter in place of the file": {
    wrong: ["add", "set", "-f", "only:a"],
    files: { "mci/set.mci.json": SET },
    hint: /Write (--filter only:a)\./,
    right: (option) => ["add", "set", ...option!.split(" ")],
  },
  "a toolset that is not in the library": {
    wrong: ["add", "other"],
    files: { "mci/set.mci.json": SET },
    hint: /check the name, or put the toolset there first\. Nothing was changed; (--force) adds it all the same/,
    right: (option) => ["add", "other", option!],
  },
  "a toolset that is misspelled": {
    wrong: ["add", "sat"],
    files: { "mci/set.mci.json": SET },
    hint: /did you mean '(\w+)'\?/,
    right: (name) => ["add", name!],
  },
  "add where there is no file": {
    wrong: ["add", "set", "--file", "nope.json"],
    files: { "mci/set.mci.json": SET },
    hint: /Run 'mci init' to create a file, or check (--file)/,
    right: (option) => ["add", "set", option!, "mci.json"],
  },
  "add to a file of another kind": {
    wrong: ["add", "set", "--file", "a.txt"],
    files: { "mci/set.mci.json": SET, "a.txt": "x" },
    hint: /MCI files end in (\.json), \.yaml or \.yml/,
    right: (extension) => ["add", "set", "--file", `mci${extension}`],
  },
  "add to a list that is not one": {
    wrong: ["add", "set"],
    files: { "mci.json": { ...MCI, toolsets: "set" }, "mci/set.mci.json": SET },
    hint: /Run 'mci (validate)'/,
    fix: () => ({ "mci.json": { ...MCI, toolsets: ["set"] } }),
    right: (command) => [command!],
  },
  "add to JSON that is broken": {
    wrong: ["add", "set"],
    files: { "mci.json": "{", "mci/set.mci.json": SET },
    hint: /Run 'mci (validate)' to see where/,
    fix: () => ({ "mci.json": MCI }),
    right: (command) => [command!],
  },
  "add to YAML that is not a mapping": {
    wrong: ["add", "set", "--file", "m.yaml"],
    files: { "m.yaml": "- a\n", "mci/set.mci.json": SET },
    hint: /Run 'mci (validate)' to see why/,
    fix: () => ({ "m.yaml": 'schemaVersion: "1.0"\ntools: []\n' }),
    right: (command) => [command!, "m.yaml"],
  },
  "HTTP options without HTTP": {
    wrong: ["run", "--token", "x"],
    hint: /Add (--http) PORT/,
    right: (option) => ["help", "run", option!].slice(0, 2),
    prints: "--http",
  },
  "a rate that is not a number": {
    wrong: ["run", "--http", "0", "--rate-limit", "many"],
    hint: /Write a whole number, e\.g\. (--rate-limit) 50/,
    right: () => ["help", "run"],
    prints: "--rate-limit",
  },
  "a port that is not one": {
    wrong: ["run", "--http", "port"],
    hint: /Write a port or HOST:PORT, e\.g\. (--http) 8080/,
    right: () => ["help", "run"],
    prints: "--http",
  },
  "an empty token": {
    wrong: ["run", "--http", "0", "--token", ""],
    hint: /Leave it out to have one generated/,
    right: () => ["help", "run"],
    prints: "--token",
  },
  "the console on another host": {
    wrong: ["run", "--http", "0.0.0.0:0", "--ui"],
    hint: /Leave out the host, e\.g\. --http 8080/,
    right: () => ["help", "run"],
    prints: "--ui",
  },
  "calls that are not stored without the console": {
    wrong: ["run", "--no-store"],
    hint: /Leave it out: nothing is stored/,
    right: () => ["help", "run"],
    prints: "--no-store",
  },
  "a file as an argument where only --file names it": {
    wrong: ["list", "mci.json"],
    hint: /Write (--file mci\.json)\./,
    right: (option) => ["list", ...option!.split(" ")],
    prints: "hi",
  },
  "the version as a command": {
    wrong: ["version"],
    hint: /Write mci (--version)\./,
    right: (option) => [option!],
    prints: ".",
  },
  "the version by a letter that is not its own": {
    wrong: ["-v"],
    hint: /Write mci (--version)\./,
    right: (option) => [option!],
    prints: ".",
  },
  "parameters without --params": {
    wrong: ["call", "say", '{"word":"it\'s"}'],
    hint: /Write (--params) '(.*)'$/,
    right: (option, json) => ["call", "say", option!, json!.replaceAll("'\\''", "'")],
    prints: "it's",
  },
  "parameters of a file that is not there": {
    wrong: ["call", "say", "--params", "@none.json"],
    files: { "some.json": { word: "read" } },
    hint: /Check the path given with (--params)\./,
    right: (option) => ["call", "say", option!, "@some.json"],
    prints: "read",
  },
  "types of another file at another place that are missing": {
    wrong: ["types", "other file.json", "-o", "src/t.d.ts", "--check"],
    files: { "other file.json": MCI },
    hint: /Run 'mci types '(other file\.json)' (-o src\/t\.d\.ts)'\./,
    right: (file, output) => ["types", file!, ...output!.split(" ")],
  },
  "a skill of another name that is missing": {
    wrong: ["skill", "--name", "weather", "--no-tests", "--check"],
    hint: /Run 'mci skill mci\.json (--name weather --no-tests)'\./,
    right: (options) => ["skill", ...options!.split(" ")],
  },
  "a lock at another place that is missing": {
    wrong: ["lock", "mci.json", "-o", "own.lock.json", "--check"],
    hint: /Run 'mci lock mci\.json (-o own\.lock\.json)' first\./,
    right: (output) => ["lock", "mci.json", ...output!.split(" ")],
  },
  "a file given twice": {
    wrong: ["run", "mci.json", "--file", "mci.json"],
    hint: /Leave out (--file)/,
    right: () => ["help", "run"],
    prints: "--file",
  },
  "a port of the console that is not one": {
    wrong: ["ui", "--port", "x"],
    hint: /Write a number from 0 to 65535, e\.g\. (--port) 4000/,
    right: () => ["help", "ui"],
    prints: "--port",
  },
  "a tool that show does not find": {
    wrong: ["show", "nope"],
    hint: /Run 'mci (list)' to see every tool/,
    right: (command) => [command!],
    prints: "hi",
  },
  "a lock that is not there": {
    wrong: ["lock", "--check"],
    hint: /Run 'mci (lock)' first/,
    right: (command) => [command!],
  },
  "types that are not there": {
    wrong: ["types", "--check"],
    hint: /Run 'mci (types mci\.json)'/,
    right: (line) => line!.split(" "),
  },
  "a skill that is not there": {
    wrong: ["skill", "--check"],
    hint: /Run 'mci (skill mci\.json)'/,
    right: (command) => command!.split(" "),
  },
  "a skill over a person's": {
    wrong: ["skill", "--name", "mine"],
    files: { "skills/mine/SKILL.md": "mine" },
    hint: /Choose another name with (--name), or delete the file\./,
    right: (option) => ["skill", option!, "other"],
  },
  "types over another file": {
    wrong: ["types", "-o", "own.d.ts"],
    files: { "own.d.ts": "// mine\n" },
    hint: /Choose another file with (-o), or delete this one/,
    right: (option) => ["types", option!, "other.d.ts"],
  },
  "init in a folder that is a file": {
    wrong: ["init", "--dir", "a.txt"],
    files: { "a.txt": "x" },
    hint: /Check the folder and its permissions, or use (--dir)/,
    right: (option) => ["init", option!, "new"],
  },
  "a quote that is not closed": {
    wrong: ["import", "curl", "curl 'https://x.example/a"],
    hint: /(Copy the command whole), and quote it as one argument\./,
    right: () => ["import", "curl", "curl 'https://x.example/a'"],
  },
  "a collection that ends too early": {
    wrong: ["import", "postman", "p.json"],
    files: { "p.json": JSON.stringify(POSTMAN).slice(0, -1) },
    hint: /(Correct it there), or save it again where it came from\./,
    fix: () => ({ "p.json": POSTMAN }),
    right: () => ["import", "postman", "p.json"],
  },
  "a curl command without quotes": {
    wrong: ["import", "curl", "wget"],
    hint: /Quote it whole: mci import curl '(curl https:\/\/)…'/,
    right: (start) => ["import", "curl", `${start}x.example/a`],
  },
  "an MCP configuration that is not one": {
    wrong: ["import", "mcp-config", "a.json"],
    files: { "a.json": "{}", ".mcp.json": { mcpServers: { s: { command: "node" } } } },
    hint: /Name the configuration of an MCP client, such as claude_desktop_config\.json, (\.mcp\.json)/,
    right: (file) => ["import", "mcp-config", file!],
  },
  "a file to export that is not there": {
    wrong: ["export", "cursor", "--file", "none.json"],
    hint: /Check (--file)\./,
    right: (option) => ["export", "cursor", option!, "mci.json"],
  },
  "a name that clients do not take": {
    wrong: ["export", "cursor", "--name", "a b"],
    hint: /Use letters, digits, '\.', '_' and '(-)'\./,
    right: (dash) => ["export", "cursor", "--name", `a${dash}b`],
  },
  "a token instead of its variable": {
    wrong: ["export", "cursor", "--url", "http://127.0.0.1:1/mcp", "--bearer", "a b"],
    hint: /Write (--bearer MCI_TOKEN)/,
    right: (option) => ["export", "cursor", "--url", "http://127.0.0.1:1/mcp", ...option!.split(" ")],
  },
  "a client that starts programs only": {
    wrong: ["export", "claude-desktop", "--url", "http://127.0.0.1:1/mcp"],
    hint: /Leave out --url\./,
    right: () => ["export", "claude-desktop"],
  },
  "a client that reads no variables": {
    wrong: ["export", "zed", "--url", "http://127.0.0.1:1/mcp", "--bearer", "MCI_TOKEN"],
    hint: /Leave out --url, so that it starts 'mci run' itself\./,
    right: () => ["export", "zed"],
  },
  "another server of that name": {
    wrong: ["export", "cursor"],
    files: { ".cursor/mcp.json": { mcpServers: { tools: { command: "x" } } } },
    hint: /Choose another name with (--name), or replace it with --force\./,
    right: (option) => ["export", "cursor", option!, "other"],
  },
  "comments that would be lost": {
    wrong: ["export", "cursor"],
    files: { ".cursor/mcp.json": '{"mcpServers":{"tools":{"command":"mci","args":["run"]/* x */}}}' },
    hint: /or pass (--force)\./,
    right: (option) => ["export", "cursor", option!],
  },
  "a configuration that cannot be edited": {
    wrong: ["export", "codex"],
    files: { ".codex/config.toml": 'mcp_servers = { tools = { command = "mci", args = ["run"] } }\n' },
    hint: /Print the entry with (--print --out NEW), and add it by hand/,
    right: (options) => ["export", "codex", ...options!.split(" ")],
    prints: "[mcp_servers.tools]",
  },
  "publishing without --check": {
    wrong: ["publish", "--package", "npm:x@1.0.0"],
    files: { "mci.json": PUBLISHED },
    hint: /Write and check the files with 'mci (publish --check)'/,
    right: (command) => [...command!.split(" "), "--package", "npm:x@1.0.0"],
  },
  "a package that is not one": {
    wrong: ["publish", "--check", "--package", "x"],
    files: { "mci.json": PUBLISHED },
    hint: /Write (--package npm:@me\/weather@1\.0\.0)\./,
    right: (option) => ["publish", "--check", ...option!.split(" ")],
  },
  "an entry of a registry that is broken": {
    wrong: ["publish", "--check", "--package", "npm:x@1.0.0"],
    files: { "mci.json": PUBLISHED, "server.json": "[", "other/readme": "" },
    hint: /or choose another folder with (--out)\./,
    right: (option) => ["publish", "--check", "--package", "npm:x@1.0.0", option!, "other"],
  },
  "a Postman collection that is not one": {
    wrong: ["import", "postman", "a.json"],
    files: { "a.json": "{}", "p.json": POSTMAN },
    hint: /Export the collection from Postman in the format 2\.1/,
    right: () => ["import", "postman", "p.json"],
  },
  "a Postman collection as OpenAPI": {
    wrong: ["import", "openapi", "p.json"],
    files: { "p.json": POSTMAN },
    hint: /use 'mci (import postman)'/,
    right: (line) => [...line!.split(" "), "p.json"],
  },
  "an OpenAPI document that is not there": {
    wrong: ["import", "openapi", "nope.json"],
    files: { "api.json": OPENAPI },
    hint: /Name a file, or an address that begins with https/,
    right: () => ["import", "openapi", "api.json"],
  },
  "an import of a client that is not there": {
    wrong: ["import", "mcp-config", "cursor"],
    files: { "c.json": { mcpServers: { s: { command: "npx" } } } },
    env: { HOME: "/nowhere" },
    hint: /Name the file itself: mci (import mcp-config) FILE/,
    right: (start) => [...start!.split(" "), "c.json"],
    prints: "npx",
  },
  "an import with a reference that leads nowhere": {
    wrong: ["import", "openapi", "refs.json"],
    files: { "refs.json": { ...OPENAPI, paths: { "/pets": { get: { parameters: [{ $ref: "#/none" }] } } } } },
    hint: /or pass (--force) to leave these parts out/,
    right: (option) => ["import", "openapi", "refs.json", option!],
    prints: "get_pets",
  },
  "an output below a file": {
    wrong: ["import", "openapi", "api.json", "--out", "mci.json/x.json"],
    files: { "api.json": OPENAPI },
    hint: /Choose another place for the output/,
    right: () => ["import", "openapi", "api.json", "--out", "x.json"],
  },
  "an import into a file with more": {
    wrong: ["import", "openapi", "api.json", "--out", "mci.json"],
    files: { "api.json": OPENAPI, "mci.json": { ...MCI, toolsets: ["set"] }, "mci/set.mci.json": SET },
    hint: /\((--out mci\/NAME\.mci\.json)\), or pass --force/,
    right: (option) => ["import", "openapi", "api.json", ...option!.replace("NAME", "pets").split(" ")],
  },
  "an import into a file of another kind": {
    wrong: ["import", "openapi", "api.json", "--out", "a.json"],
    files: { "api.json": OPENAPI, "a.json": { name: "package" } },
    hint: /Choose another file with (--out)/,
    right: (option) => ["import", "openapi", "api.json", option!, "b.json"],
  },
  "an import of nothing": {
    wrong: ["import", "openapi", "api.json", "--tag", "none"],
    files: { "api.json": OPENAPI },
    hint: /Try without (--tag)/,
    right: () => ["import", "openapi", "api.json"],
  },
  "an import of deprecated operations only": {
    wrong: ["import", "openapi", "api.json"],
    files: {
      "api.json": {
        ...OPENAPI,
        paths: { "/pets": { get: { ...OPENAPI.paths["/pets"].get, deprecated: true } } },
      },
    },
    hint: /Import them with (--include-deprecated)/,
    right: (option) => ["import", "openapi", "api.json", option!],
    prints: "listPets",
  },
  "an API that does not say how to authenticate": {
    wrong: ["import", "openapi", "api.json"],
    files: { "api.json": OPENAPI },
    hint: /import with (--auth bearer)/,
    right: (option) => ["import", "openapi", "api.json", ...option!.split(" ")],
  },
};

/** Hints that no row follows, and why. */
const NOT_FOLLOWED: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    "asks a person to look": [
      "check the entry of '…' under mcp_servers",
      "Check the server's entry under mcp_servers; 'mci validate' checks it without starting it.",
      "Check the address or the command after --server.",
      "check the tool's auth, and the variables in it with 'mci envs'",
      "This looks like a bug in mci; please report it with:",
    ],
    "needs another process that changes the file at the same moment": [
      "Run the command again.",
      "Try again. If no other process runs, remove ….",
    ],
    "leads to a server that runs until it is stopped; serve/issuer.test.ts has the refusals and the servers":
      [
        "Leave out --mode, or serve each scope by itself.",
        "Write its address, e.g. https://auth.example.com.",
        "Write what tokens must be for, best the public address: --audience https://tools.example.com/mcp",
        "Set MCI_INTROSPECTION_SECRET in the environment.",
        "Add --oauth-issuer URL.",
        "Write a scope and the tools it allows: --scope read=tags:read, or --scope admin=*",
      ],
    "needs a person at a login page; login.test.ts has one": [
      "Log in again, and paste the address the browser ends at.",
      "Paste all of it, from http:// on.",
      "Nothing was stored. Log in again, and finish in the browser before that.",
      "A server with a url under mcp_servers, or an http tool with auth of flow authorizationCode or deviceCode, has a login.",
    ],
    "needs a registry; add-server.test.ts has one": [
      "Pass --registry https://registry.modelcontextprotocol.io or another, or set MCI_REGISTRY.",
      "Such names have a dot and a slash: io.github.user/weather.",
      "Choose one with --as NAME.",
      "Nothing was changed. Choose another name with --as, or replace it with --force.",
      "Nothing was changed. Run 'mci validate'.",
      "Write an https:// address, such as --registry https://registry.modelcontextprotocol.io.",
      "Nothing was changed. Check --registry.",
      "Nothing was changed. Check --registry, or try again.",
      "Nothing was changed.",
      "Look for it: …/v0.1/servers?search=…",
      "Nothing was changed. Choose another form of it with --package, or add the server by hand.",
      "Nothing was changed. Choose one with --package, or add the server by hand.",
      "Start it, then add its address to mcp_servers.",
      "They can do anything, such as mount a folder of yours. Add the server by hand if you want them.",
    ],
    "says what happens without the option": [
      "Without it clients see every tool.",
      "'mci run' on standard input needs no token.",
    ],
    "leads to a server that does not end; serve/code.test.ts has one": ["Add --mode code."],
    "needs a symbolic link; write-env.test.ts has one": ["Give --write-env the file that it leads to."],
    "the user of these tests may read every file": ["Check that you may read the file."],
    "needs a server that is slow; the same setting of a program is followed": [
      "raise timeout_ms of the tool or its server if it needs longer",
    ],
    "needs an address that cannot be reached": ["Download the document and name the file."],
    "starts a server; the tests of serving end theirs": [
      "Run 'mci list --verbose' with the same --server to see what it takes.",
      "Write an address, or a command line in quotes.",
      "Choose another port, or --http 0 for a free one.",
      "Choose another port, or leave out --port.",
      "Leave out the host for this machine only, or write 0.0.0.0 for all of its addresses.",
      "If it is yours, start the server with --allow-host …",
      "Write --public-url https://tools.example.com/mcp.",
    ],
  }).flatMap(([reason, hints]) => hints.map((hint) => [hint, reason])),
);

const seen: string[] = [];

test.each(Object.entries(ROWS))("[C-hints] %s: the hint leads to what works", async (_, row) => {
  const { wrong, hint, right, files = {}, fix, env = {}, prints = "" } = row;
  const all = { "mci.json": MCI, ...files };
  const cwd = folder(all);
  const outer = { PATH: process.env.PATH!, HOME: cwd };
  const failed = await mciHere(wrong, { cwd, env: { ...outer, ...env } });
  const shown = failed.stderr + failed.stdout;
  expect(shown).toMatch(new RegExp(hint.source, "m"));
  seen.push(shown);
  const [, ...suggested] = new RegExp(hint.source, "m").exec(shown)!;
  const later = fix === undefined ? cwd : folder({ ...all, ...fix(...suggested) });
  const { code, stdout, stderr } = await mciHere(right(...suggested), { cwd: later, env: outer });
  expect([code, stderr, stdout]).toEqual([0, expect.anything(), expect.stringContaining(prints)]);
});

test("[C-hints] a folder with several files, and one with none: the hints lead to what works", async () => {
  const env = { PATH: process.env.PATH! };
  const several = folder({ "a.mci.json": MCI, "b.mci.json": MCI });
  const first = await mciHere(["list"], { cwd: several, env });
  const [, option] = /Choose one with (--file \S+)\./.exec(first.stderr)!;
  expect((await mciHere(["list", ...option!.split(" ")], { cwd: several, env })).code).toBe(0);
  const empty = folder();
  const none = await mciHere(["list"], { cwd: empty, env });
  expect(none.stderr).toContain("Run 'mci init' to create one");
  expect((await mciHere(["init"], { cwd: empty, env })).code).toBe(0);
  expect((await mciHere(["call", "greet", "name=Ada"], { cwd: empty, env })).stdout).toContain("Ada");
  seen.push(first.stderr, none.stderr);
});

test("[C-hints] every hint in the source is followed by a row, or has a reason why it is not", ({ skip }) => {
  skip(seen.length < Object.keys(ROWS).length + 2, "not all rows have run");
  const hints = [...collectHints("cli")];
  const missing = hints.filter(
    (hint) => !Object.hasOwn(NOT_FOLLOWED, hint) && !seen.some((shown) => showsHint(shown, hint)),
  );
  expect(missing).toEqual([]);
  expect(Object.keys(NOT_FOLLOWED).filter((hint) => !hints.includes(hint))).toEqual([]);
});
