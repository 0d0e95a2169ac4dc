import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { program } from "../../../test/programs/programs.ts";
import { readJson } from "../../council-server/test/read-json.ts";

const main = program("packages/fake-provider", "main.js");

const MISTAKES = [
  ["--rate", "429=7"],
  ["--rate", "fast=1"],
  ["--latency", "soon"],
  ["--port", "99999"],
  ["--dialect", "klingon"],
  ["--style", "baroque"],
];

it.each<[string[], string[]]>([
  [
    MISTAKES.flat(),
    [
      "behaviour.rates.429 must be a number from 0 to 1; it is 7",
      "behaviour.rates.fast is not a field; options.behaviour.rates takes ",
      "behaviour.latency.median_ms must be a number of at least 0; it is NaN",
      "options.port must be a whole number from 0 to 65535; it is 99999",
      "options.dialect must be one of ",
      "behaviour.style must be one of ",
    ],
  ],
  [["--script", "/nowhere.json"], ["no such file or directory, open '/nowhere.json'"]],
  [["--script", fileURLToPath(new URL("../package.json", import.meta.url))], ["options.name is not a field"]],
  [["--sped", "1"], ["Unknown option '--sped'"]],
])("mci-council-sim %j says what is wrong, without a stack [FP-command]", async (args, messages) => {
  const child = spawn(process.execPath, [main, "--port", "0", ...args], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (chunk) => (said += chunk));
  expect(await new Promise((resolve) => child.once("close", resolve))).toBe(2);
  for (const message of messages) expect(said).toContain(message);
  expect(said).not.toMatch(/\n\s+at /);
});

it("mci-council-sim takes its behaviour from the command line and stops on a signal", async () => {
  const args = [
    "--port",
    "0",
    "--truth",
    "Paris",
    "--model",
    "one",
    "--model",
    "two",
    "--rate",
    "429=0.5",
    "--latency",
    "3",
    "--dialect",
    "deepseek",
    "--style",
    "fenced",
    "--limit-concurrency",
    "1",
  ];
  const child = spawn(process.execPath, [main, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  const url = await new Promise<string>((resolve) => {
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk;
      const found = /listens on (\S+)\nTry: /.exec(said);
      if (found) resolve(found[1]!);
    });
  });
  expect(said).toContain(`MAKER_API_URL=${url} MCI_DIALECT=deepseek`);
  const { data } = await readJson(fetch(`${url}/models`));
  expect(data.map(({ id }: { id: string }) => id)).toEqual(["one", "two"]);
  const { behaviour } = await readJson(fetch(new URL("/sim/script", url)));
  expect(behaviour).toMatchObject({
    truth: "Paris",
    rates: { 429: 0.5 },
    latency: { median_ms: 3 },
    style: "fenced",
  });
  const refused = await fetch(`${url}/chat/completions`, {
    method: "POST",
    body: JSON.stringify({
      model: "m",
      messages: [{ role: "user", content: "?" }],
      response_format: { type: "json_schema" },
    }),
  });
  expect([refused.status, await refused.text()]).toEqual([
    400,
    expect.stringContaining("This response_format type is unavailable now"),
  ]);
  child.kill("SIGTERM");
  expect(await new Promise((resolve) => child.once("exit", resolve))).toBe(0);
});
