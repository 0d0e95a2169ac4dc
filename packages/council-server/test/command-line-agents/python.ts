import { execFile, execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startFakeProvider } from "../../../fake-provider/src/server.ts";
import { TOKEN } from "./agents.ts";
import { DIALECTS, startService } from "./service.ts";

/** Python's packages of OpenAI and of Anthropic, whose tool loops are written as their documentation has them. */
export const PYTHON_PACKAGES = ["openai==3.51.0", "anthropic==2.10.0"];

const STEPS = Array.from({ length: 5 }, (_, id) => ({
  calls: [{ tool: "move", input: { id, place: id % 2 ? "left" : "right" } }],
}));
const RIGHT = JSON.stringify(STEPS.map(({ calls }) => calls[0]!.input));
const REPLY = "All moved.";

/** Into a virtual environment of its own. */
export function installPython(folder: string): void {
  execFileSync("python3", ["-m", "venv", join(folder, "venv")], { stdio: "inherit" });
  execFileSync(join(folder, "venv/bin/pip"), ["install", "--quiet", ...PYTHON_PACKAGES], {
    stdio: "inherit",
  });
}

/** Every loop with each kind of provider; what was not as it should be. */
export async function runPython(folder: string): Promise<string[]> {
  const problems: string[] = [];
  for (const dialect of DIALECTS) {
    const behaviour = { seed: 5, agent: { steps: STEPS, accuracy: 0.8, reply: REPLY } };
    const provider = await startFakeProvider({
      key: "provider-key",
      dialect,
      models: ["scripted"],
      behaviour,
    });
    const service = await startService(dialect, provider.url);
    try {
      const { stdout, stderr, status } = await run(folder, service.url);
      const loops = stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Loop]));
      for (const { loop, moved, text } of loops) {
        const isRight = JSON.stringify(moved) === RIGHT && text === REPLY;
        console.log(`${isRight ? "done" : "FAILED"}  Python ${loop}, provider ${dialect}`);
        if (!isRight) problems.push(`${loop}, provider ${dialect}: ${JSON.stringify({ moved, text })}`);
      }
      if (status !== 0)
        problems.push(`Python, provider ${dialect}, ended with ${status}: ${stderr.slice(-2000)}`);
    } finally {
      await service.close();
      await provider.close();
    }
  }
  return problems;
}

/** The provider and the service are in this process, so it must not wait for the program. */
function run(folder: string, url: string): Promise<{ stdout: string; stderr: string; status: number }> {
  const program = fileURLToPath(new URL("python/loops.py", import.meta.url));
  return new Promise((resolve) => {
    const options = {
      timeout: TIMEOUT_MS,
      env: { PATH: process.env["PATH"] ?? "", PYTHONDONTWRITEBYTECODE: "1" },
    };
    execFile(join(folder, "venv/bin/python"), [program, url, TOKEN], options, (error, stdout, stderr) =>
      resolve({ stdout, stderr, status: error === null ? 0 : Number(error.code ?? 1) }),
    );
  });
}

const TIMEOUT_MS = 300_000;

interface Loop {
  readonly loop: string;
  readonly moved: unknown;
  readonly text: string;
}
