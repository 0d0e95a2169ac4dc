import { stringifyExact } from "@mci-ts/primitives/exact-json";
import { type Count, compileTimeout } from "../../count.ts";
import { ToolError } from "../../errors.ts";
import type { Outcome } from "../../result.ts";
import { DEFAULT_TIMEOUT_MS } from "../../schema/defaults.ts";
import type { CliExecution } from "../../schema/execution.ts";
import { OMITTED, type Scope, type TemplateString } from "../../template-api.ts";
import type { Call, Executor } from "../executor.ts";
import {
  type Argument,
  type ArgumentsPlan,
  argumentText,
  compileArguments,
  rejectOption,
  renderArguments,
} from "./args.ts";
import { childEnvironment, type Variables } from "./env.ts";
import { rejectOutsidePaths } from "./paths.ts";
import { commandOutcome, startError } from "./result.ts";
import { inDirectory, type WorkingDirectory, workingDirectory } from "./working-directory.ts";

interface CliPlan extends ArgumentsPlan {
  readonly command: TemplateString;
  readonly cwd?: TemplateString;
  readonly env: readonly (readonly [string, TemplateString])[];
  readonly inheritEnv: readonly string[];
  readonly stdin?: TemplateString;
  readonly successExitCodes: readonly number[];
  readonly parse?: "json";
  readonly timeoutMs: Count;
}

interface CliSession {
  /** Closing waits for these, so that nothing runs any more when it is done. */
  readonly running: Set<Promise<Outcome>>;
}

/** Runs a program without a shell. `processEnv` gives what children need of the process environment. */
export function createCli(processEnv: () => Variables): Executor<CliExecution, CliPlan, CliSession> {
  return {
    compile: (execution, compile, place) => ({
      ...compileArguments(execution, compile, place),
      command: compile.text(execution.command, [...place, "command"]),
      cwd: execution.cwd === undefined ? undefined : compile.text(execution.cwd, [...place, "cwd"]),
      env: Object.entries(execution.env ?? {}).map(([name, value]) => [
        name,
        compile.text(value, [...place, "env", name]),
      ]),
      inheritEnv: (execution.inheritEnv ?? []).filter((name, index) =>
        compile.mayRead(name, [...place, "inheritEnv", index]),
      ),
      stdin: execution.stdin === undefined ? undefined : compile.text(execution.stdin, [...place, "stdin"]),
      successExitCodes: execution.successExitCodes ?? [0],
      parse: execution.parse,
      timeoutMs: compileTimeout(execution.timeout_ms, compile, place),
    }),

    open: () => ({ running: new Set() }),

    async run(plan, call, { running }) {
      const outcome = runCommand(plan, call, processEnv());
      running.add(outcome);
      try {
        return await outcome;
      } finally {
        running.delete(outcome);
      }
    },

    async preview(plan, call) {
      const { command, args, directory, ownNames, stdin } = commandLine(plan, call, processEnv());
      return {
        type: "cli",
        command,
        args,
        cwd: directory.path,
        env: ownNames,
        ...(stdin === undefined ? {} : { stdin }),
      };
    },

    async close({ running }) {
      await Promise.allSettled(running);
    },
  };
}

export const cli = createCli(() => process.env);

interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
  readonly directory: WorkingDirectory;
  readonly env: Readonly<Record<string, string>>;
  /** Names of the variables that come from the tool. */
  readonly ownNames: readonly string[];
  readonly stdin: string | undefined;
}

/** Renders and checks everything that starts a command. */
function commandLine(plan: CliPlan, call: Call, processEnv: Variables): CommandLine {
  const { scope } = call;
  const command = renderCommand(plan.command, call);
  const args = renderArguments(plan, scope, call.mask);
  const directory = workingDirectory(plan.cwd, call);
  rejectOutsidePaths([command, ...args], directory.path, call);
  const fromEnv = [...inherited(plan.inheritEnv, scope)];
  const own = [...ownVariables(plan.env, scope)];
  return {
    command: argumentText(command),
    args: args.map(argumentText),
    directory,
    env: childEnvironment(processEnv, fromEnv, own),
    ownNames: [...new Set([...fromEnv, ...own].map(([name]) => name))],
    stdin: renderStdin(plan.stdin, scope),
  };
}

async function runCommand(plan: CliPlan, call: Call, processEnv: Variables): Promise<Outcome> {
  const { scope, signal } = call;
  const { command, args, directory, env, stdin } = commandLine(plan, call, processEnv);
  const timeoutMs = plan.timeoutMs(scope) ?? DEFAULT_TIMEOUT_MS;
  const maxOutputBytes = call.limits.maxCommandOutputBytes;
  // Loaded with the first command: a client that runs none need not wait for it.
  const { runProcess } = await import("./process.ts");
  if (signal.aborted) throw new ToolError("aborted", "The call was cancelled.");
  const request = { command, args, env, stdin, timeoutMs, signal, maxOutputBytes };
  const report = await inDirectory(directory, (cwd) => runProcess({ ...request, cwd })).catch(
    (error: unknown) => {
      throw startError(error, command);
    },
  );
  const { successExitCodes, parse } = plan;
  return commandOutcome(report, { timeoutMs, maxOutputBytes, successExitCodes, parse, mask: call.mask });
}

/** A value that is not text is written as JSON. */
function renderStdin(template: TemplateString | undefined, scope: Scope): string | undefined {
  const rendered = template?.value(scope);
  if (rendered === undefined || rendered === OMITTED) return undefined;
  return typeof rendered.value === "string" ? rendered.value : stringifyExact(rendered.value);
}

function renderCommand(command: TemplateString, { scope, mask }: Call): Argument {
  const parts = command.parts(scope);
  if (parts === OMITTED || argumentText(parts) === "") {
    throw new ToolError("invalid_config", `The command is empty: '${command.source}' gave nothing.`);
  }
  rejectOption(parts, "command", "write the dash in the command itself", mask);
  return parts;
}

/** From the client's env only: a file must not be able to name a variable of the process and send it somewhere. */
function* inherited(names: readonly string[], scope: Scope): Generator<readonly [string, string]> {
  for (const name of names) {
    const value = Object.hasOwn(scope.env, name) ? scope.env[name] : undefined;
    if (value === undefined || value === null) continue;
    scope.onEnv(value);
    yield [name, typeof value === "string" ? value : stringifyExact(value)];
  }
}

function* ownVariables(env: CliPlan["env"], scope: Scope): Generator<readonly [string, string]> {
  for (const [name, template] of env) {
    const value = template.render(scope);
    if (value !== OMITTED) yield [name, value];
  }
}
