import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DialectName } from "../../../fake-provider/src/dialects/index.ts";

export type ProviderDialect = Extract<DialectName, "openai" | "anthropic" | "generic">;

/** Where an agent runs: everything it reads and writes is below one temporary folder. */
export interface Place {
  /** Its home: settings, logs and caches. */
  readonly home: string;
  /** The project it works on. */
  readonly project: string;
  /** Base URL of the council, without `/v1`. */
  readonly url: string;
}

/** A command-line agent, and how it is pointed to the council: what a user would write into its settings. */
export interface CommandLineAgent {
  readonly name: string;
  /** A package of the npm registry, with an exact version. */
  readonly package: string;
  readonly command: string;
  /** Providers behind the council, one after the other: of the agent's own protocol, then of another. */
  readonly dialects: readonly ProviderDialect[];
  configure(place: Place): {
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string>>;
  };
  /** The right actions, by the names of its own tools. */
  steps(
    place: Place,
  ): readonly { readonly tool: string; readonly input: Readonly<Record<string, unknown>> }[];
}

export const PROMPT =
  "The check of this project fails. Find the mistake, correct it, and run the check again.";
export const WRONG = "export const sum = (a, b) => a - b;\n";
export const RIGHT = "export const sum = (a, b) => a + b;\n";
const KEY = "council-token-of-the-test";

export const AGENTS: readonly CommandLineAgent[] = [
  {
    name: "Codex",
    package: "@openai/codex@0.166.0",
    command: "codex",
    dialects: ["openai", "generic"],
    configure({ home, url }) {
      write(
        join(home, ".codex/config.toml"),
        `model = "act"
model_provider = "council"

[model_providers.council]
name = "Council"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "MCI_TOKEN"
`,
      );
      const free = ["--dangerously-bypass-approvals-and-sandbox", "--skip-git-repo-check"];
      return { args: ["exec", ...free, PROMPT], env: { MCI_TOKEN: KEY } };
    },
    steps: () => [
      { tool: "exec_command", input: { cmd: "cat sum.js" } },
      { tool: "exec_command", input: { cmd: "sed -i 's/a - b/a + b/' sum.js" } },
      { tool: "exec_command", input: { cmd: "node check.js" } },
    ],
  },
  {
    name: "opencode",
    package: "opencode-ai@1.18.33",
    command: "opencode",
    dialects: ["generic"],
    configure({ project, url }) {
      const provider = {
        npm: "@ai-sdk/openai-compatible",
        name: "Council",
        options: { baseURL: `${url}/v1`, apiKey: "{env:MCI_TOKEN}" },
        models: { act: { name: "Voted actions" } },
      };
      const settings = { provider: { council: provider }, model: "council/act", autoupdate: false };
      write(join(project, "opencode.json"), JSON.stringify(settings, null, 2));
      return { args: ["run", PROMPT], env: { MCI_TOKEN: KEY } };
    },
    steps: ({ project }) => [
      { tool: "read", input: { filePath: join(project, "sum.js") } },
      { tool: "edit", input: { filePath: join(project, "sum.js"), oldString: "a - b", newString: "a + b" } },
      { tool: "bash", input: { command: "node check.js", description: "Runs the check" } },
    ],
  },
  {
    name: "Claude Code",
    package: "@anthropic-ai/claude-code@2.1.326",
    command: "claude",
    dialects: ["anthropic", "generic"],
    configure({ url }) {
      return {
        args: ["--print", PROMPT, "--permission-mode", "acceptEdits", "--allowed-tools", "Bash,Read,Edit"],
        env: {
          ANTHROPIC_BASE_URL: url,
          ANTHROPIC_AUTH_TOKEN: KEY,
          ANTHROPIC_MODEL: "act",
          ANTHROPIC_DEFAULT_HAIKU_MODEL: "act",
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        },
      };
    },
    steps: ({ project }) => [
      { tool: "Read", input: { file_path: join(project, "sum.js") } },
      {
        tool: "Edit",
        input: { file_path: join(project, "sum.js"), old_string: "a - b", new_string: "a + b" },
      },
      { tool: "Bash", input: { command: "node check.js", description: "Runs the check" } },
    ],
  },
  {
    name: "Qwen Code",
    package: "@qwen-code/qwen-code@0.24.4",
    command: "qwen",
    dialects: ["generic"],
    configure({ url }) {
      return {
        args: ["--prompt", PROMPT, "--yolo", "--auth-type", "openai"],
        env: { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: KEY, OPENAI_MODEL: "act" },
      };
    },
    steps: ({ project }) => [
      { tool: "read_file", input: { file_path: join(project, "sum.js") } },
      {
        tool: "edit",
        input: { file_path: join(project, "sum.js"), old_string: "a - b", new_string: "a + b" },
      },
      {
        tool: "run_shell_command",
        input: { command: "node check.js", is_background: false, description: "Runs the check" },
      },
    ],
  },
];

export const TOKEN = KEY;

function write(path: string, text: string): void {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
}
