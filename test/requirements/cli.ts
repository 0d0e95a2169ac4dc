import type { Requirements } from "./requirements.ts";

export default {
  "CLI-plans":
    "Plans of code are listed, read, committed as they were shown, and discarded over the API of the page",
  "CLI-list-search": "'mci list --search' finds tools by plain words, the best first",
  "CLI-list-tokens": "'mci list --tokens' shows what each tool costs a model",
  "RUN-issuer": "Behind an issuer a caller lists and calls only what the scopes of its token allow",
  "RUN-exchange":
    "A caller's token is exchanged for one of the API, for each caller apart, and shown nowhere",
  "RUN-mode-code":
    "'mci run --mode code' serves code with planned writes, approved by a person at the client",
  "RUN-mode-search":
    "'mci run --mode search' serves a search, a call and pinned tools instead of the whole list",
  "RUN-token-hint": "A list that costs a model many tokens is pointed out when it is served",
  "UI-tells-nothing": "The API of the page shows no value of env, and nothing of files outside the project",
  "UI-saved-tests":
    "A call is saved as a test beside the file, never with the value of a variable, and runs as a test",
  "UI-calls-stored":
    "Calls of the page are stored in a bounded file of their owner, without secrets, and forgotten on request",
  "UI-token": "A token of the page works once, within its life, and nothing else opens the page",
  "CLI-unknown-keys":
    "An unknown key of a file is a warning with line and column, printed once by each command",
  "SRV-size":
    "A result over MCP stays under the limit of clients: the form that the tool chose, once instead of twice, else an error with its size",
  "CLI-unknown-property": "A property that a tool does not have is an error of mci call, with a suggestion",
  "A-output-schema": "A tool's outputSchema is published over MCP",
  "A-types-command": "mci types writes, checks and never overwrites what it did not write",
  "C-add": "Adds a toolset that the loader then finds",
  "C-atomic": "The file's mode stays, a link stays a link, and nothing is left behind",
  "C-call": "An error of a call shows public addresses and variables, and masks every other value",
  "C-colour": "On a terminal there are colours and a table, unless NO_COLOR says otherwise",
  "C-completion": "Fish completes the same (skipped where fish is not installed)",
  "C-discover": "Several files: the message names them",
  "C-note": "What a result does not show by itself is a line beside it",
  "C-env": "One .env.mci anywhere puts every .env aside",
  "C-envs": "All of it as JSON",
  "C-exit": "Exit codes: 0 done, 1 failed, 2 called wrongly",
  "C-filter-nothing":
    "A filter that no tool passes is an error with a suggestion; a part of it that matches nothing is a warning",
  "C-filter": "Several filters combine: values of one type add up, types stand side by side",
  "C-import": "Imports an OpenAPI document into a file that validates, and says what changed since",
  "C-import-lost": "What an import leaves out, guesses or cannot read is named, or is an error",
  "C-import-curl": "One tool from one curl command; harmless values are defaults, secrets variables",
  "C-import-literal":
    "Text of an imported document is never a template: only placeholders that the import made read anything",
  "C-add-server":
    "mci add takes a server from a registry: pinned, locked, only declared variables, no value of a secret; hostile replies change nothing",
  "C-publish":
    "mci publish --check writes server.json and a server card from the file, keeps what was written by hand, and checks both against their schemas",
  "RUN-trace": "A call that mci run serves is a span that continues the trace of its client",
  "RUN-card": "mci run --http serves the server card and the catalogue of a file with a name in reverse DNS",
  "C-export":
    "mci export writes a client's configuration that imports as the same server, keeps the rest of the file, and writes no value of a variable",
  "C-import-mcp": "MCP servers of other clients' configurations, secrets as variables",
  "C-import-names":
    "A document cannot name a variable that programs obey by themselves, such as NODE_OPTIONS",
  "C-import-postman": "A Postman collection as tools",
  "C-import-quality": "An import says in one line what its tools are worth to a model",
  "C-import-secrets":
    "No credential of an example request reaches the file; what is not known to be harmless has no default",
  "C-import-env":
    "--write-env writes values that a shell takes for text, not through a link, and says if others may read the file",
  "C-init": "Creates a project and never overwrites",
  "C-markup": "Brackets and other markup are shown as they are",
  "C-next-step": "A property that was given needs no such hint",
  "C-once": "One mistake is reported once, with its whole path",
  "C-output": "An image is written to --output; without it its type and size are shown",
  "C-path": "Cwd defaults to the file's directory; values that name foreign paths are refused",
  "C-server": "Tools of an MCP server are called and listed without a file; nothing is written",
  "C-spinner": "While MCP servers load, a terminal shows which",
  "C-toolset": "A missing toolset is an error, and toolset files are validated too",
  "C-typed": "Arguments are read as the types the input schema asks for",
  "C-unset": "A variable that is set to nothing is a warning, too",
  "C-usage": "Wrong usage exits with 2 and the reason",
  "C-validate": "Every error and warning has file:line:column, a code frame and a hint",
  "RUN-conformance": "Every scenario of the official suite passes, but those of what the protocol deprecates",
  "RUN-http-body": "A request that is too large is refused before it is read",
  "RUN-http-cancel": "Hanging up cancels",
  "RUN-http-hosts": "By default only this machine is served, by its own names and to no web page",
  "RUN-http-many": "Many clients are served at once, each with its own answers",
  "RUN-http-port": "A port in use is an error that says what to do",
  "RUN-http-rate": "This machine is counted only if that is asked for",
  "RUN-http-refuse": "What is not the protocol is refused with the reason",
  "RUN-http-stateless": "No request needs an earlier one, so that any process can answer any of them",
  "RUN-http-token": "Bound elsewhere it wants a token, and makes one if none is given",
  "RUN-inspector": "Lists and calls tools over stdio, and has nothing to say against their schemas",
  "RUN-list": "Tools are listed with all that the file says about them",
  "RUN-pages": "A big file comes in pages",
  "RUN-progress": "Hears of progress if it asks, in order and before the result",
  "RUN-schema":
    "Every listed input schema is an object with properties, without a reference at its root; draft 2020-12, where declared, is kept",
  "RUN-snippets": "Is valid configuration",
  "RUN-stderr": "A client that never reads standard error does not block the server",
  "RUN-stdin": "A message without end fills no memory and ends with its input",
  "RUN-stdout": "Standard output holds protocol and nothing else, whatever there is to tell",
  "RUN-stop-grace": "Over stdio, a call in flight is finished and answered",
  "RUN-stop-orphans": "Over HTTP, a call that does not finish is ended, with all its processes",
  "RUN-watch": "A file that is replaced, or gone for a moment, is followed",
  "CALL-input": "A person at the terminal is asked what a server wants to know, with a form of its schema",
  "RUN-approval":
    "A destructive tool, or one with approve: true, runs only after the client's user has approved these arguments, once",
  "RUN-changes": "What servers behind say about changes of their lists and resources reaches clients",
  "RUN-input":
    "What servers behind ask for reaches the client's user, and the answer the server, in both eras on either side",
  "RUN-meta": "Titles, icons, annotations, links and _meta pass in both directions",
  "RUN-instructions":
    "Instructions of servers reach clients, named and quoted; with a lock, only those that were locked",
  "RUN-own-content": "A file's own prompts and resources are served",
  "RUN-resources":
    "Resources, prompts and completions of servers pass, by the filters and prefixes of the file",
  "C-skill":
    "mci skill writes, checks and keeps a SKILL.md for the tools of a file, with examples from its tests",
  "RUN-skills": "Skills of the file and of its servers are served in both eras, and a changed one is refused",
  "RUN-tasks":
    "Calls of slow tools, and those that servers behind make tasks of, are tasks for clients that support them",
  "RUN-tasks-limits":
    "Tasks belong to their caller, are bounded in number and time, and end with the process",
  "RUN-state":
    "The state of a request that waits for input cannot be changed, moved to another request or used twice",
  "RUN-names": "Tools whose names MCP does not allow are served under valid ones",
  "RUN-boolean-schema": "Boolean subschemas are listed as objects, which every client can read",
  "RUN-output-schema": "Output schemas of MCP servers are listed, and their structured content comes through",
  "RUN-failed-output": "What a failed command printed reaches the client beside its error output",
  "RUN-oversized": "A message over the limit is refused with its id, and the next is answered",
  "C-controls": "Nothing that others wrote controls the terminal: control and bidi characters are escaped",
  "C-help-width": "Help fits a narrow terminal",
  "C-hints": "Hints lead to something that works",
  "C-locations": "Errors and warnings name the tool and the file, not the tool's index",
  "C-lock": "The tools are locked, compared, and served only as they were locked",
  "C-dry-run": "A dry run prints the request or command, secrets masked, and sends nothing",
  "C-show":
    "A tool is shown with its whole input, where each value goes, fixed values, variables, permissions, result and pages",
  "C-one-line": "A JSON file on one line stays on one line when it is edited",
  "C-hostile": "No request blocks mci run --http for 100 ms of processor time, whatever it holds",
  "C-conflict": "Of two changes of a file at once, by any process, none is lost without a word",
  "LOGIN-processes": "Processes that need a new token at once use a refresh token once",
  "LOGIN-command": "People log in, list and remove logins with the command; no token is ever printed",
  "X-proxy": "The command goes through the proxy that the environment names",
} satisfies Requirements;
