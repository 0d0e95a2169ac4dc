import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { startService } from "../../packages/council-server/test/harness.ts";
import { readPage } from "./markdown.ts";

const { blocks } = readPage("README.md");
const at = blocks.findIndex(({ language, text }) => language === "sh" && text.includes("/mcp/model"));

it("the README's request gets the response that stands below it, as it is said to be without a model", async () => {
  const { url } = await startService();
  const command = blocks[at]!.text.replace(/^[\s\S]*?(?=^curl )/m, "").replace("http://127.0.0.1:8338", url);
  const { stdout } = await promisify(execFile)("sh", ["-c", command.replace(/^curl /, "curl -sS ")]);
  const response = JSON.parse(stdout);
  const { result, metadata } = JSON.parse(blocks[at + 1]!.text);
  // What is left out of the text stands for anything after it.
  const [beginning, ...rest] = result.split("…");
  expect(rest).toEqual([""]);
  expect(response.result.slice(0, beginning.length)).toBe(beginning);
  expect(response.metadata).toMatchObject(metadata);
});
