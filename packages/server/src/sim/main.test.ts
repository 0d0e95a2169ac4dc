import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { readJson } from "../../test/read-json.ts";

it("mci-council-sim takes its behaviour from the command line and stops on a signal", async () => {
  const main = fileURLToPath(new URL("./main.ts", import.meta.url));
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
  ];
  const child = spawn(process.execPath, [main, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise<string>((resolve) => {
    child.stdout.on("data", (chunk: Buffer) => {
      const found = /listens on (\S+)/.exec(chunk.toString());
      if (found) resolve(found[1]!);
    });
  });
  const { data } = await readJson(fetch(`${url}/models`));
  expect(data.map(({ id }: { id: string }) => id)).toEqual(["one", "two"]);
  const { behaviour } = await readJson(fetch(new URL("/sim/script", url)));
  expect(behaviour).toMatchObject({ truth: "Paris", rates: { 429: 0.5 }, latency: { median_ms: 3 } });
  child.kill("SIGTERM");
  expect(await new Promise((resolve) => child.once("exit", resolve))).toBe(0);
});
