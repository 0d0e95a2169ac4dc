import { expect, it } from "vitest";
import { runTask } from "./command.ts";
import { runSchedule } from "./schedule-command.ts";

const output = { write: () => {}, progress: () => {}, isTerminal: false };
/** Where nothing listens: what is refused is refused before. */
const NOWHERE = ["--url", "http://127.0.0.1:9"];

it.each([
  ["fork a --step", "fork needs --step N, a whole number from 1"],
  ["fork a --step 0x2", "fork needs --step N, a whole number from 1"],
  ["fork a --step 1e99", "fork needs --step N, a whole number from 1"],
  ["fork a --step=-1", "fork needs --step N, a whole number from 1"],
  ["fork a", "fork needs --step N, a whole number from 1"],
  ["status a --step 3", "--step goes with fork"],
  ["delete --name=", "--name needs words"],
  ["list --status runing", "--status must be one of queued, running"],
  ["list --status=", "--status must be one of queued, running"],
])("mci-council task %s is refused before a request", async (line, message) => {
  // "--step" alone: an empty value, as of a variable that is not set.
  const args = line
    .split(" ")
    .flatMap((part, i, all) => (i === all.length - 1 && part === "--step" ? [part, ""] : [part]));
  await expect(runTask([...args, ...NOWHERE], {}, output)).rejects.toThrow(message);
});

it.each(["", "foo", "ftp://127.0.0.1", "127.0.0.1:8338"])("an address %j is said to be none", async (url) => {
  const message = `--url: ${JSON.stringify(url)} is not the address of a service`;
  await expect(runTask(["list", "--url", url], {}, output)).rejects.toThrow(message);
  await expect(runSchedule(["list", "--url", url], {}, output)).rejects.toThrow(message);
});
