// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the dialect of env files has these.
import { expect, test } from "vitest";
import { parseDotenv } from "./dotenv.ts";

const outside: Readonly<Record<string, string>> = { HOME: "/home/me", A: "outside" };

const cases: readonly [title: string, text: string, expected: Record<string, string>][] = [
  ["a plain value", "A=1", { A: "1" }],
  ["spaces around the equals sign", "A = 1 ", { A: "1" }],
  ["export is dropped", "export A=1\nexport\tB=2", { A: "1", B: "2" }],
  ["comment lines and blank lines", "# no\n\n  # no\nA=1", { A: "1" }],
  ["a comment after an unquoted value", "A=1 # one", { A: "1" }],
  ["a hash without a space before it belongs to the value", "A=b#c\nB=#d", { A: "b#c", B: "#d" }],
  ["a comment where the value would be", "A= # none", { A: "" }],
  ["a comment after a quoted value", "A='x y' # note\nB=\"z\"#note", { A: "x y", B: "z" }],
  ["quotes keep spaces and hashes", "A=' a # b '\nB=\" c \"", { A: " a # b ", B: " c " }],
  ["escapes count in double quotes", String.raw`A="a\nb\t\"c\" \\n"`, { A: 'a\nb\t"c" \\n' }],
  ["escapes do not count in single quotes", String.raw`A='a\nb'`, { A: String.raw`a\nb` }],
  ["a single quote may be escaped in single quotes", String.raw`A='it\'s'`, { A: "it's" }],
  ["a backslash before the closing quote", String.raw`A='C:\dir\'`, { A: "C:\\dir\\" }],
  ["unknown escapes stay", String.raw`A="\d\w"`, { A: "\\d\\w" }],
  ["quoted values span lines", "A=\"1\n2\"\nB='3\n4'\nC=5", { A: "1\n2", B: "3\n4", C: "5" }],
  ["Windows line ends", "A=1\r\nB=2\r\n", { A: "1", B: "2" }],
  ["a byte order mark", "\uFEFFA=1", { A: "1" }],
  ["an empty value", "A=\nB=''", { A: "", B: "" }],
  ["a name without an equals sign is dropped", "A\nB=1", { B: "1" }],
  ["lines that make no sense are skipped", '=x\nA=\'open\nB="a"b\nC=1', { C: "1" }],
  ["the later of two wins", "A=1\nA=2", { A: "2" }],
  ["an earlier value of the file is put in", "X=1\nB=${X}2", { X: "1", B: "12" }],
  ["the file's own value comes before the outside one", "A=inside\nB=${A}", { A: "inside", B: "inside" }],
  ["outside values are put in", "B=${HOME}/bin", { B: "/home/me/bin" }],
  ["also in quotes of both kinds", "B='${HOME}'\nC=\"${HOME}\"", { B: "/home/me", C: "/home/me" }],
  ["a default for a missing name", "B=${NOPE:-def}\nC=${NOPE}", { B: "def", C: "" }],
  ["a dollar without braces stays", "B=$HOME $", { B: "$HOME $" }],
  ["a later value is not seen", "B=${LATER}\nLATER=1", { B: "", LATER: "1" }],
  ["a quoted name", "'A B'=1", { "A B": "1" }],
  [
    "names are not special",
    "__proto__=1\nconstructor=2",
    Object.fromEntries([
      ["__proto__", "1"],
      ["constructor", "2"],
    ]),
  ],
];

test.each(cases)("%s", (_, text, expected) => {
  expect(parseDotenv(text, (name) => outside[name])).toEqual(expected);
});

test("a long file with an open quote is read in linear time", () => {
  const text = `A='${"\\'x".repeat(50_000)}\n${"B=1\n".repeat(1000)}`;
  expect(parseDotenv(text)).toEqual({ B: "1" });
});

test("a line that is ignored and a name that is given twice are reported with their lines, and no value is", () => {
  const problems: string[] = [];
  const text = '# a comment\nFOO BAR\n=s3cret\nA=1\r\nB="two\nlines"\nA=2\nexport C=\'s3cret\nD="a"s3cret\n';
  parseDotenv(text, undefined, (line, problem) => problems.push(`${line}: ${problem}`));
  expect(problems).toEqual([
    "2: it is not NAME=value, or a quote is not closed, and is ignored",
    "3: it is not NAME=value, or a quote is not closed, and is ignored",
    "7: A is also on line 4; the last one counts",
    "8: it is not NAME=value, or a quote is not closed, and is ignored",
    "9: it is not NAME=value, or a quote is not closed, and is ignored",
  ]);
});
