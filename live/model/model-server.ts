import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { killAtExit } from "../../chaos/world/children.ts";
import { freePort } from "../../chaos/world/free-port.ts";
import { pythonWith } from "./cache.ts";
import type { ModelFile } from "./models.ts";

/** llama.cpp with its own HTTP server, as prebuilt wheels. */
export const LLAMA_CPP = "xllamacpp==2026.10.11549";

export interface ModelServer {
  /** With /v1. */
  readonly url: string;
  close(): Promise<void>;
}

export interface ModelServerOptions {
  readonly port?: number;
  /** Default: half of the cores. llama.cpp's threads wait for each other actively: on a busy machine fewer are faster. */
  readonly threads?: number;
  /**
   * Prompts whose beginning is cached. More than requests at a time: a vote has a beginning for each wording, and reading it again takes
   * longer than the answer.
   */
  readonly slots?: number;
  /** Tokens of one request and its reply. */
  readonly context?: number;
}

/** Starts llama.cpp's server, and resolves when the model answers. */
export async function startModelServer(
  { file, name }: ModelFile,
  { port, threads, slots = 8, context = 4096 }: ModelServerOptions = {},
): Promise<ModelServer> {
  const settings = {
    file,
    name,
    slots,
    context,
    port: port ?? (await freePort()),
    threads: threads ?? Math.max(1, Math.floor(availableParallelism() / 2)),
  };
  const program = fileURLToPath(new URL("./serve_model.py", import.meta.url));
  const child = spawn(await pythonWith(LLAMA_CPP), [program, JSON.stringify(settings)], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  killAtExit(child);
  let output = "";
  child.stderr.on("data", (chunk) => (output = `${output}${chunk}`.slice(-4000)));
  const exited = new Promise<void>((done) => child.once("exit", () => done()));
  const address = await new Promise<string>((done, fail) => {
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
      const found = /^listening on (\S+)/m.exec(text);
      if (found) done(found[1]!);
    });
    void exited.then(() =>
      fail(new Error(`The model server ended: ${output.split("\n").slice(-5).join("\n")}`)),
    );
  });
  return {
    url: `${address}/v1`,
    async close() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}
