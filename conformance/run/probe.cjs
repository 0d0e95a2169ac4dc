#!/usr/bin/env node
// The program that cases run as $PROBE; README.md says what it does. Plain CommonJS: it must start with any Node, and soon.
const { readFileSync, writeSync } = require("node:fs");

const INSTRUCTION = /^probe:(\w+)=(.*)$/s;
const instructions = {
  stdout: (text) => writeSync(1, text),
  stderr: (text) => writeSync(2, text),
  base64: (data) => writeSync(1, Buffer.from(data, "base64")),
  sleep: (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(ms)),
  exit: (code) => process.exit(Number(code)),
};

const argv = process.argv.slice(2);
const given = argv.map((arg) => INSTRUCTION.exec(arg)).filter((match) => match !== null);
for (const [, name, value] of given) instructions[name](value);
if (given.length === 0) writeSync(1, JSON.stringify(report()));

function report() {
  const named = Object.entries(process.env).filter(([name]) => name.startsWith("CASE_"));
  return {
    argv,
    cwd: process.cwd(),
    env: Object.fromEntries(named),
    hasPath: process.env.PATH !== undefined,
    stdin: readFileSync(0, "utf8"),
  };
}
