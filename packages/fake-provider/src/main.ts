#!/usr/bin/env node
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { omitUndefined } from "@mci-ts/primitives/omit-undefined";
import { DIALECT_NAMES, type DialectName } from "./dialects/index.ts";
import { startRecorder } from "./recorder.ts";
import type { ScriptInput } from "./script.ts";
import { startFakeProvider } from "./server.ts";
import { STYLE_NAMES } from "./styles.ts";

const HELP = `mci-council-sim: a local stand-in for a model provider, for tests and benchmarks.

It speaks chat completions at /v1/chat/completions (streaming too) and behaves as configured.

  --port <n>          Port on 127.0.0.1. Default 8399; 0 takes any free one.
  --key <text>        Bearer key to ask for. Default: none.
  --model <id>        A name for /v1/models; repeatable. Default: sim.
  --unstructured      Answers json_schema requests with 400, as older endpoints do.
  --dialect <name>    The provider it stands in for, with its addresses, refusals and envelopes: openai, azure, anthropic, google,
                      openrouter, groq, together, deepseek, mistral, xai, vllm, llamacpp, ollama, lmstudio. Default: generic.
  --limit-concurrency <n>  Calls at the same time; more get 429.
  --limit-tpm <n>     Tokens per minute; more get 429 with Retry-After.
  --record <file>     Writes down traffic with a real provider, keys removed, for a test; needs --upstream.
  --upstream <url>    The provider's base URL: requests go on to it, with their key.
  --script <file>     JSON: { "rules": [{ "reply": { "kind": … }, "model"?, "contains"?, "times"?, "delay_ms"? }], "behaviour": { … } }

  Behaviour, when no rule fits (each overrides the script's):
  --seed <n>          Seed of every draw. Default 1.
  --accuracy <p>      Share of right answers. Default 1.
  --truth <text>      The right answer. Default "yes".
  --wrong <text>      A wrong answer; repeatable. Default "no".
  --paraphrase <p>    Share of answers in other words. Default 0.
  --style <name>      How objects are written: ${STYLE_NAMES.slice(0, 9).join(", ")},
                      ${STYLE_NAMES.slice(9).join(", ")}. Default: plain.
  --style-rate <p>    Share of answers in that style. Default 1.
  --latency <ms>      Median latency. Default 0.
  --sigma <s>         Spread of the log-normal latency. Default 0.
  --stragglers <p>    Share of replies ten times as slow. Default 0.
  --rate <kind=p>     Share of a fault; repeatable: length, refusal, content_filter, empty, reasoning_only, malformed,
                      overlong, 401, 429, 500, hang, cut.

  While it runs: GET /sim/log shows arrivals and aborts, PUT /sim/script replaces the script.
`;

const OPTIONS = {
  help: { type: "boolean", short: "h" },
  port: { type: "string", default: "8399" },
  key: { type: "string" },
  model: { type: "string", multiple: true },
  unstructured: { type: "boolean", default: false },
  dialect: { type: "string" },
  "limit-concurrency": { type: "string" },
  "limit-tpm": { type: "string" },
  record: { type: "string" },
  upstream: { type: "string" },
  script: { type: "string" },
  style: { type: "string" },
  "style-rate": { type: "string" },
  seed: { type: "string" },
  accuracy: { type: "string" },
  truth: { type: "string" },
  wrong: { type: "string", multiple: true },
  paraphrase: { type: "string" },
  latency: { type: "string" },
  sigma: { type: "string" },
  stragglers: { type: "string" },
  rate: { type: "string", multiple: true },
} as const;

try {
  await main();
} catch (error) {
  // A wrong option or script, or a port in use: the message says it all.
  process.stderr.write(`mci-council-sim: ${(error as Error).message}\n`);
  process.exitCode = 2;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: OPTIONS });
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  if (values.record !== undefined || values.upstream !== undefined) {
    await record(values);
    return;
  }
  const sim = await startFakeProvider({
    ...(await readScript(values)),
    port: Number(values.port),
    ...(values.key === undefined ? {} : { key: values.key }),
    ...(values.model === undefined ? {} : { models: values.model }),
    structured: !values.unstructured,
    ...omitUndefined<Record<string, unknown>>({
      dialect: values.dialect,
      limitConcurrency: number(values["limit-concurrency"]),
      limitTpm: number(values["limit-tpm"]),
    }),
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void sim.close());
  process.stdout.write(`mci-council-sim listens on ${sim.url}\n`);
  process.stdout.write(hint(values.dialect, sim.url));
}

/** How to ask it; the addresses of the native APIs are not a setting of the service. */
function hint(dialect: string | undefined, url: string): string {
  if (dialect === "anthropic" || dialect === "google")
    return `It speaks the native API: use it from tests, or with an SDK whose base URL is ${url}\n`;
  const address = dialect === "azure" ? `"${new URL("/openai?api-version=2024-10-21", url)}"` : url;
  const name = dialect === undefined ? "" : ` MCI_DIALECT=${dialect}`;
  return `Try: MAKER_API_URL=${address}${name} MAKER_API_MODEL=sim mci-council\n`;
}

async function record({ record: file, upstream, dialect, port }: Values): Promise<void> {
  if (file === undefined || upstream === undefined || !URL.canParse(upstream))
    throw new Error("--record <file> and --upstream <url> belong together");
  const recorder = await startRecorder({
    file,
    upstream,
    port: Number(port),
    ...(dialect === undefined ? {} : { dialect: dialectNamed(dialect) }),
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void recorder.close());
  process.stdout.write(`mci-council-sim records traffic with ${new URL(upstream).host} in ${file}\n`);
  process.stdout.write(`Use it as MAKER_API_URL=${recorder.url}\n`);
}

function dialectNamed(name: string): DialectName {
  const found = DIALECT_NAMES.find((one) => one === name);
  if (found === undefined) throw new Error(`--dialect must be one of ${DIALECT_NAMES.join(", ")}`);
  return found;
}

function number(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>["values"];

async function readScript(values: Values): Promise<ScriptInput> {
  const script = values.script === undefined ? {} : JSON.parse(await readFile(values.script, "utf8"));
  const { latency, stragglers, ...rest } = script.behaviour ?? {};
  return {
    ...script,
    behaviour: {
      ...rest,
      ...omitUndefined<Record<string, unknown>>({
        seed: number(values.seed),
        accuracy: number(values.accuracy),
        truth: values.truth,
        wrong: values.wrong,
        paraphrase: number(values.paraphrase),
        style: values.style,
        style_rate: number(values["style-rate"]),
        rates:
          values.rate &&
          Object.fromEntries(values.rate.map((pair) => [pair.split("=")[0], Number(pair.split("=")[1])])),
      }),
      latency: {
        ...latency,
        ...omitUndefined<Record<string, unknown>>({
          median_ms: number(values.latency),
          sigma: number(values.sigma),
        }),
      },
      stragglers: {
        ...stragglers,
        ...omitUndefined<Record<string, unknown>>({ rate: number(values.stragglers) }),
      },
    },
  };
}
