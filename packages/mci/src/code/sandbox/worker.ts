import { stripTypeScriptTypes } from "node:module";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { type JSValueHandle, MAX_STACK_SIZE, QuickJS } from "quickjs-wasi";
import { PRELUDE } from "./prelude.ts";
import type {
  FromSandbox,
  SandboxData,
  SandboxError,
  SandboxOutcome,
  ThreadLimits,
  ToSandbox,
} from "./protocol.ts";

/*
 * The thread of one sandbox: an instance of QuickJS with a memory of its own. Only texts and numbers pass between the code
 * and this file, through one function; no object of Node.js is reachable from inside. The thread runs one piece of code and
 * is then thrown away.
 */

/** The name of the code in stack traces, and the lines that are put before it. */
const FILE = "code.js";
const LINES_BEFORE = 1;

class SandboxThread {
  readonly #port: MessagePort;
  readonly #vm: QuickJS;
  /** Functions of the prelude: one takes the results of calls, one starts the code. */
  readonly #settle: JSValueHandle;
  readonly #start: JSValueHandle;
  #limits: ThreadLimits = {
    ...{ timeoutMs: 0, maxCalls: 0, maxOutputChars: 0 },
    ...{ maxInputChars: 0, maxTotalInputChars: 0 },
  };
  #ended = false;
  #calls = 0;
  #inputChars = 0;
  #waiting = 0;
  /** The code has met something that only a commit can tell; it plans nothing after that, even if it catches the error. */
  #isCut = false;
  #printed = "";
  #unprinted = 0;

  static async start(port: MessagePort, { wasm, memoryBytes }: SandboxData): Promise<void> {
    const clock = { deadline: Number.POSITIVE_INFINITY };
    const vm = await QuickJS.create({
      wasm,
      memoryLimit: memoryBytes,
      // Without it, recursion would write over the end of the memory's stack, which ends the instance.
      maxStackSize: MAX_STACK_SIZE,
      timezoneOffset: 0,
      interruptHandler: () => Date.now() > clock.deadline,
      // Nothing that QuickJS itself prints leaves the sandbox.
      wasi: () => ({ fd_write: () => 0 }),
    });
    const thread = new SandboxThread(port, vm);
    port.on("message", (message: ToSandbox) => {
      if (message.type === "run") clock.deadline = Date.now() + message.limits.timeoutMs;
      thread.#onMessage(message);
    });
    thread.#post({ type: "ready" });
  }

  private constructor(port: MessagePort, vm: QuickJS) {
    this.#port = port;
    this.#vm = vm;
    const send = vm.newFunction("send", (type, id, text, json) => {
      this.#receive(type!.toString(), id!.toNumber(), text!.toString(), json!.toString());
      return vm.undefined;
    });
    const parts = vm.callFunction(vm.evalCode(PRELUDE, "prelude.js"), vm.undefined, send);
    this.#settle = vm.getProp(parts, vm.newNumber(0));
    this.#start = vm.getProp(parts, vm.newNumber(1));
  }

  #onMessage(message: ToSandbox): void {
    const vm = this.#vm;
    try {
      if (message.type === "run") {
        this.#limits = message.limits;
        vm.callFunction(this.#start, vm.undefined, this.#compile(message.code));
      } else {
        const { id, state, json } = message;
        this.#waiting--;
        vm.callFunction(
          this.#settle,
          vm.undefined,
          vm.newNumber(id),
          vm.newString(state),
          vm.newString(json),
        ).dispose();
      }
      this.#work();
    } catch (error) {
      this.#end({ error: this.#hostError(error) });
    }
  }

  /** JavaScript, or TypeScript without what only types need. Stripped types leave blanks, so that places stay. */
  #compile(code: string): JSValueHandle {
    const wrapped = `(async () => {\n${code}\n})`;
    try {
      return this.#vm.evalCode(wrapped, FILE);
    } catch (error) {
      const stripped = withoutTypes(wrapped);
      if (stripped === undefined || stripped === wrapped) throw error;
      return this.#vm.evalCode(stripped, FILE);
    }
  }

  /** Runs what is ready. Code that waits for no tool and still has not ended never will. */
  #work(): void {
    this.#vm.executePendingJobs();
    const message = "The code waits for something that never happens: a promise that nothing resolves.";
    if (!this.#ended && this.#waiting === 0) this.#end({ error: { name: "Error", message } });
  }

  /** What the code sends, by whatever way: checked here, not inside. */
  #receive(type: string, id: number, text: string, json: string): void {
    if (this.#ended) return;
    const { maxCalls, maxInputChars, maxTotalInputChars } = this.#limits;
    if (type === "cut") this.#isCut = true;
    else if (type === "call") {
      if (this.#isCut)
        throw new Error("The code stopped before, at something that is known only after the commit.");
      if (text === "") this.#isCut = true;
      if (++this.#calls > maxCalls) throw new Error(`The code may call tools at most ${maxCalls} times.`);
      if (json.length > maxInputChars)
        throw new Error(`The input of a call has ${json.length} characters, and may have ${maxInputChars}.`);
      this.#inputChars += json.length;
      if (this.#inputChars > maxTotalInputChars)
        throw new Error(`The inputs of all calls together may have ${maxTotalInputChars} characters.`);
      this.#waiting++;
      this.#post({ type: "call", id, tool: text.slice(0, 200), json });
    } else if (type === "print") this.#print(text);
    else if (type === "return") this.#end(text === "" ? {} : { value: text });
    else if (type === "throw") this.#end({ error: thrownError(text) });
  }

  #print(text: string): void {
    const room = Math.max(0, this.#limits.maxOutputChars - this.#printed.length);
    const line = `${text}\n`;
    this.#printed += line.slice(0, room);
    this.#unprinted += Math.max(0, line.length - room);
  }

  #end(outcome: Omit<SandboxOutcome, "console">): void {
    if (this.#ended) return;
    this.#ended = true;
    const notes = [
      this.#unprinted === 0 ? "" : `\n… ${this.#unprinted} more characters were printed and are not shown.`,
      this.#waiting === 0
        ? ""
        : `\n${this.#waiting} calls were still running when the code ended, and were cancelled: await them.`,
    ];
    this.#post({
      type: "end",
      outcome: { ...this.#shortened(outcome), console: this.#printed + notes.join("") },
    });
  }

  /** A value that is too long is an error: half of a JSON text is of no use. */
  #shortened(outcome: Omit<SandboxOutcome, "console">): Omit<SandboxOutcome, "console"> {
    const { maxOutputChars } = this.#limits;
    const length = outcome.value?.length ?? 0;
    if (length <= maxOutputChars) return outcome;
    const message = `The code returned ${length} characters of JSON, and may return ${maxOutputChars}. Return less: select, count or summarize in the code.`;
    return { error: { name: "RangeError", message } };
  }

  /** Errors of QuickJS itself: syntax, memory, time. */
  #hostError(error: unknown): SandboxError {
    const { name, message, stack } = error as Error;
    const text = String(message).slice(0, MAX_MESSAGE);
    if (/interrupted/.test(text))
      return { name: "TimeoutError", message: `The code ran longer than ${this.#limits.timeoutMs} ms.` };
    return { name: String(name).slice(0, 100), message: text, ...placeIn(String(stack)) };
  }

  #post(message: FromSandbox): void {
    this.#port.postMessage(message);
  }
}

const MAX_MESSAGE = 10_000;

function withoutTypes(code: string): string | undefined {
  try {
    return stripTypeScriptTypes(code);
  } catch {
    return undefined;
  }
}

function thrownError(text: string): SandboxError {
  const { name, message, code, stack, cut } = JSON.parse(text) as Record<string, unknown>;
  return {
    name: String(name).slice(0, 100),
    message: String(message).slice(0, MAX_MESSAGE),
    ...(typeof code === "string" ? { code: code.slice(0, 100) } : {}),
    ...placeIn(String(stack)),
    ...(cut === true ? { cut } : {}),
  };
}

function placeIn(stack: string): { line?: number; column?: number } {
  const [, line, column] = /\bcode\.js:(\d{1,9})(?::(\d{1,9}))?/.exec(stack) ?? [];
  if (line === undefined) return {};
  // Code can write any stack it likes.
  return {
    line: Math.max(1, Number(line) - LINES_BEFORE),
    ...(column === undefined ? {} : { column: Number(column) }),
  };
}

void SandboxThread.start(parentPort!, workerData as SandboxData);
