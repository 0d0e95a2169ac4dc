import type { Requirements } from "./requirements.ts";

export default {
  "C-login": "A person logs in at the issuer with PKCE; an answer that the tab did not ask for ends nothing",
  "UI-accessible": "Every screen and state passes axe, fits 360 px and works with the keyboard alone",
  "UI-call": "A tool is found, filled in with a form, previewed and called",
  "UI-call-detail":
    "Any call can be opened: requests, responses, headers, times, attempts; searched, sent again, compared, exported",
  "UI-calls": "Calls are listed as they happen, and can be made again with the same input",
  "UI-saved-tests":
    "A call is saved as a test beside the file, never with the value of a variable, and runs as a test",
  "UI-calls-stored":
    "Calls are stored in a bounded file of their owner, without secrets, and searched and opened again later; forgotten on request",
  "UI-calls-opened":
    "Any model call of a run shows its prompt as sent, its whole reply, its settings and the flag that discarded it",
  "UI-what-if": "Recorded votes are decided again by another k, another rule, without a model or a seat",
  "UI-verdict": "A run is marked as right or wrong",
  "UI-servers":
    "A server shows what it is and offers: its resources are read and watched, its prompts filled in, its log followed",
  "UI-share":
    "A run is shared as one file that replays it offline, in which nothing of a prompt or a reply runs",
  "UI-interrupted": "An interrupted run says what is lost and what is left",
  "UI-seats":
    "Many seats are grouped by their answers and folded; long answers are folded, and never announced",
  "UI-calibration": "What votes stated stands against verdicts, with the k to use and its price",
  "UI-sessions":
    "The steps of an agent are shown one by one, with their votes, differing arguments and discards",
  "UI-matrix":
    "Questions are asked in several ways side by side: filled live, graded, judged, compared, exported for `mci-council eval`; stopped and resumed without asking twice",
  "UI-compare": "A run can be cancelled, and two runs compared side by side",
  "UI-conflict": "An edit from elsewhere is never overwritten",
  "UI-content": "Every kind of content is shown as what it is, in any script",
  "UI-editor":
    "The editor shows problems at their lines, completes keys, finds, folds, shows what saving would change, and saves on request only",
  "UI-form-errors": "What is not JSON or breaks the tool's schema is not sent, and says so at its field",
  "UI-confirm": "What destroys something or may do so is done after a question that shows the request",
  "UI-definition": "A tool leads to its definition in the file",
  "UI-split":
    "File, form, request and response stand side by side, and the request changes as the file is typed",
  "UI-drafts": "Edits that were not saved are kept on every way out",
  "UI-history": "The history is searched by words of prompts and answers, and an answer from it says so",
  "UI-injection": "Script in anything that comes from files, tools, prompts or models stays text",
  "UI-markdown-time": "Formatting a text never blocks the page, whatever the text",
  "UI-large-result": "A result of ten megabytes is shown in part, and the page stays usable",
  "UI-objects": "Answers that are objects are shown by their fields, and which of them count in the vote",
  "UI-other-sites": "Pages of other sites can neither call the API nor show the console in a frame",
  "UI-input":
    "What a server or a file asks while a tool runs is asked in the page; what was agreed to is sent as it was shown",
  "UI-keyboard":
    "What has the focus is seen, and the focus is not lost when what had it goes or is turned off",
  "UI-plan":
    "A plan is read with its exact requests, approved by its digest or refused, followed entry by entry and gone on with; its texts cannot deceive",
  "UI-protocol":
    "What is said to MCP servers can be read, and a server restarted; variables can be set for a session",
  "UI-ranking": "The ranking of the seats stands beside the judge's decision, and a disagreement is shown",
  "UI-reconnect": "A lost connection is shown, and the page goes on where it was when it is back",
  "UI-restart": "A tab of an earlier `mci ui` says how to go on, and goes on once another tab has access",
  "UI-scale":
    "Ten thousand tools, a hundred thousand runs and 2,000 events of a run stay usable in flat memory",
  "UI-tells-nothing": "The API of the page shows no value of env, and nothing of files outside the project",
  "UI-token":
    "A service with a token asks for it; the token leaves the address at once and reaches no other site",
  "UI-task-rests":
    "A task that has not moved for longer than its step may take says so, one whose provider is away says when it resumes",
  "UI-theme": "Light, dark or as the system says, chosen in the page and remembered",
} satisfies Requirements;
