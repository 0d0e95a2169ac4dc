import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { splitCommandLine } from "./split-command-line.ts";

test.each([
  ["ls -la", { command: "ls", args: ["-la"] }],
  ["sh -c 'ls | wc -l'", { command: "sh", args: ["-c", "ls | wc -l"] }],
  ['git commit -m "two words"', { command: "git", args: ["commit", "-m", "two words"] }],
  ["ls | wc -l", { command: "sh", args: ["-c", "ls | wc -l"] }],
  ["echo $HOME", { command: "sh", args: ["-c", "echo $HOME"] }],
  ["echo a\\ b ''", { command: "echo", args: ["a b", ""] }],
  ["grep {{props.word}} file", { command: "grep", args: ["{{props.word}}", "file"] }],
  [
    "grep {{ props.word | 'a b' }} {!! props.files !!}",
    { command: "grep", args: ["{{ props.word | 'a b' }}", "{!! props.files !!}"] },
  ],
  ["cat {{props.file}} | wc -l", undefined],
  ["echo 'open", undefined],
  ["  ", undefined],
])("%s is written as %j", (line, expected) => {
  expect(splitCommandLine(line)).toEqual(expected);
});

test.each(["printf '%s-%s' a 'b c'", "printf a | wc -c", 'printf "%s" "$((1 + 2))"', "printf x\\ y"])(
  "[I-hints] what is suggested for %s does the same as the shell",
  (line) => {
    const { command, args } = splitCommandLine(line)!;
    expect(execFileSync(command, args, { encoding: "utf8" })).toBe(
      execFileSync("sh", ["-c", line], { encoding: "utf8" }),
    );
  },
);
