import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { waitUntil } from "../../chaos/wait.ts";
import { killAtExit } from "../../chaos/world/children.ts";
import { freePort } from "../../chaos/world/free-port.ts";
import { pythonWith } from "../model/cache.ts";
import type { Part } from "../part.ts";
import { shorten } from "./council.ts";

const LITELLM = "litellm[proxy]==1.106.0";

const REQUESTS = [
  { what: "vote", intent: "validation", prompt: "What is the capital of France?" },
  { what: "vote, choices", intent: "validation", prompt: "Is a penguin a bird or a reptile?" },
  {
    what: "council",
    intent: "decision",
    prompt: "Should a small team use PostgreSQL or MongoDB for invoices?",
  },
];

export const litellmPart: Part = {
  name: "litellm",
  title: "Through a LiteLLM proxy",
  about: `The service calls ${LITELLM.replace("==", " ")}, which calls llama.cpp's server.`,
  async run({ startService, model, modelUrl, folder, progress }) {
    const python = await pythonWith(LITELLM);
    const port = await freePort();
    const config = join(folder, "litellm.yaml");
    // Without one it refuses to start.
    const key = `sk-${randomBytes(32).toString("hex")}`;
    const entry = {
      model_name: model.name,
      litellm_params: { model: `openai/${model.name}`, api_base: modelUrl, api_key: "none" },
    };
    // JSON is YAML.
    writeFileSync(config, JSON.stringify({ model_list: [entry], litellm_settings: { telemetry: false } }));
    // Its command would start the Python of the folder that the environment was made in.
    const args = ["-c", "import litellm; litellm.run_server()", "--config", config];
    const proxy = spawn(python, [...args, "--host", "127.0.0.1", "--port", String(port)], {
      // Prices come with the package: nothing is fetched.
      env: {
        ...process.env,
        LITELLM_LOCAL_MODEL_COST_MAP: "True",
        LITELLM_MASTER_KEY: key,
        NO_PROXY: "127.0.0.1",
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    killAtExit(proxy);
    let output = "";
    for (const stream of [proxy.stdout, proxy.stderr])
      stream.on("data", (chunk) => (output = `${output}${chunk}`.slice(-2000)));
    const url = `http://127.0.0.1:${port}`;
    const isUp = async () =>
      proxy.exitCode !== null ||
      ((await fetch(`${url}/health/liveliness`).catch(() => undefined))?.ok ?? false);
    try {
      if (!(await waitUntil(isUp, START_TIMEOUT_MS)) || proxy.exitCode !== null)
        throw new Error(`The proxy did not start: ${output}`);
      const service = await startService({ MAKER_API_URL: `${url}/v1`, MAKER_API_KEY: key });
      const rows: string[][] = [];
      let failed = 0;
      for (const { what, ...request } of REQUESTS) {
        progress(what);
        const { status, seconds, body } = await service.ask(request);
        const { metadata, error } = body;
        if (status !== 200) failed++;
        const said = metadata ? JSON.stringify(metadata.answer) : (error?.message ?? "");
        rows.push([
          what,
          String(status),
          metadata?.status ?? error?.code ?? "",
          shorten(said),
          `${seconds.toFixed(1)} s`,
        ]);
      }
      return [
        {
          what: "requests that failed",
          ours: `${failed} of ${rows.length}`,
          target: "none",
          met: failed === 0,
        },
        {
          title: "Requests through the proxy",
          columns: ["request", "HTTP", "status", "answer", "time"],
          rows,
        },
      ];
    } finally {
      proxy.kill("SIGKILL");
    }
  },
};

const START_TIMEOUT_MS = 400_000;
