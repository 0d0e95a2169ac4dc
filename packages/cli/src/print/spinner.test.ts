import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Output } from "../command.ts";
import { spinner } from "./spinner.ts";

function output(isTTY: boolean): Output & { readonly written: string[] } {
  const written: string[] = [];
  return { written, isTTY, colour: false, columns: 40, write: (text: string) => written.push(text) } as never;
}

test("[C-spinner] on a terminal it shows the text, no wider than the line, and takes it away again", async () => {
  const terminal = output(true);
  const shown = spinner(terminal);
  shown.show(`Waiting for MCP servers: github, ${"x".repeat(100)}`);
  while (terminal.written.length < 2) await sleep(20);
  shown.stop();
  expect(terminal.written[0]).toContain("Waiting for MCP servers: github, xx");
  expect(terminal.written[0]?.startsWith("\r\x1b[K")).toBe(true);
  expect(terminal.written[0]?.length).toBeLessThan(40 + 6);
  expect(terminal.written.at(-1)).toBe("\r\x1b[K");
});

test("[C-spinner] elsewhere, and for what is quick, it prints nothing", async () => {
  const pipe = output(false);
  const piped = spinner(pipe);
  piped.show("x");
  await sleep(300);
  piped.stop();
  const terminal = output(true);
  const quick = spinner(terminal);
  quick.show("x");
  quick.stop();
  expect([pipe.written, terminal.written]).toEqual([[], []]);
});
