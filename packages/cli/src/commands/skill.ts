import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { type MCIClient, MCIClientError } from "mci-ts";
import { generateSkill, isGeneratedSkill, type SkillExample } from "mci-ts/authoring";
import { CliError, usageError } from "../cli-error.ts";
import { type Context, command } from "../command.ts";
import { saveGenerated } from "../edit/save-generated.ts";
import { oneLine } from "../print/escape-controls.ts";
import { plural } from "../print/plural.ts";
import { shortPath } from "../print/problems.ts";
import { discoverFile } from "../project/discover.ts";
import { loadClient } from "../project/load.ts";
import { ENV, FILE } from "../project/options.ts";
import { testsFile } from "../project/tests-file.ts";

const NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;

export default command({
  summary: "Write a SKILL.md that tells agents which of the tools to use when, with examples.",
  details:
    "From names, descriptions and input schemas of the tools; with examples from --examples, from the tests beside the file\n" +
    "(NAME.tests.json: \"Save as test\" in 'mci ui' writes it), and from the schemas. 'mci run' serves it from the folder 'skills' beside\n" +
    "the MCI file, as it does every skill there. A file that a person wrote is left as it is.",
  operands: [{ name: "FILE", help: "The MCI file. Default: as for --file.", complete: "file" }],
  options: {
    name: {
      type: "string",
      value: "NAME",
      help: "The name of the skill: lower-case letters, digits, hyphens. Default: the name in the file's metadata.",
    },
    examples: {
      type: "string",
      value: "FILE",
      complete: "file",
      help: 'More examples, as JSON: [{"tool": "…", "input": {…}, "about": "…"}]. Each must fit its tool.',
    },
    "no-tests": { type: "boolean", help: "Take no examples from tests." },
    output: {
      type: "string",
      short: "o",
      value: "FILE",
      complete: "file",
      help: "Where to write; - prints. Default: skills/NAME/SKILL.md beside the MCI file.",
    },
    check: { type: "boolean", help: "Write nothing; exit 1 if the file is not up to date." },
    ...FILE,
    ...ENV,
  },
  examples: [
    { command: "mci skill", about: "Write skills/NAME/SKILL.md" },
    { command: "mci skill --name weather -o -", about: "Print it" },
    { command: "mci skill --examples calls.json", about: "With calls that are known to work" },
    { command: "mci skill --check", about: "In CI: was it written again after the last change?" },
  ],
  async run({ values, operands }, context) {
    const file = discoverFile(operands[0] ?? values.file, context.cwd);
    if (values.output === "-" && values.check)
      throw usageError("--check compares a file, and '-o -' names none.");
    await using client = await loadClient(file, values, context, { strict: true });
    const name = values.name ?? slug(client.metadata.name ?? basename(file).replace(/(\.mci)?\.\w+$/, ""));
    if (!NAME.test(name) || name.length > 64)
      throw usageError(
        `'${name}' cannot be the name of a skill: use lower-case letters, digits and single hyphens.`,
      );
    const tools = client.tools();
    const examples = values.examples === undefined ? [] : readExamples(resolve(context.cwd, values.examples));
    for (const { tool, input } of examples) await client.ignoredArguments(tool, input);
    if (!values["no-tests"]) examples.push(...(await testExamples(client, file, context)));
    const text = generateSkill(tools, { name, about: client.metadata.description, examples });
    if (values.output === "-") {
      context.stdout.write(text);
      return 0;
    }
    const output =
      values.output === undefined
        ? join(dirname(file), "skills", name, "SKILL.md")
        : resolve(context.cwd, values.output);
    await saveGenerated(
      output,
      {
        ...{ command: "mci skill", file, text, check: values.check, isGenerated: isGeneratedSkill },
        options: [
          ...(values.name === undefined ? [] : ["--name", values.name]),
          ...(values.examples === undefined ? [] : ["--examples", values.examples]),
          ...(values["no-tests"] ? ["--no-tests"] : []),
          ...(values.output === undefined ? [] : ["-o", values.output]),
        ],
        advice: "Choose another name with --name, or delete the file.",
        end: `: ${plural(tools.length, "tool")}`,
      },
      context,
    );
    return 0;
  },
});

/** The tests beside the file that fit the tools as they are now. A test of a tool that is gone, or of other input, is named. */
async function testExamples(
  client: MCIClient,
  file: string,
  { stderr, cwd }: Context,
): Promise<SkillExample[]> {
  const tests = testsFile(file);
  if (!existsSync(tests)) return [];
  const fitting: SkillExample[] = [];
  for (const { about = "as in a test", ...example } of readExamples(tests)) {
    try {
      await client.ignoredArguments(example.tool, example.input);
      fitting.push({ ...example, about });
    } catch (error) {
      if (!(error instanceof MCIClientError)) throw error;
      const name = oneLine(shortPath(tests, cwd));
      stderr.write(`warning: a test in ${name} is not an example: ${oneLine(error.message)}\n`);
    }
  }
  return fitting;
}

function slug(text: string): string {
  const name = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  return name === "" ? "tools" : name.slice(0, 64).replace(/-$/, "");
}

function readExamples(file: string): SkillExample[] {
  let data: unknown;
  try {
    data = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new CliError(`${file} cannot be read as JSON: ${(error as Error).message}`);
  }
  const isExample = (one: unknown) =>
    typeof one === "object" &&
    one !== null &&
    typeof (one as SkillExample).tool === "string" &&
    typeof (one as SkillExample).input === "object" &&
    (one as SkillExample).input !== null;
  // A test of an error shows how not to call the tool.
  const isSuccess = ({ expect }: { expect?: { isError?: unknown } }) => expect?.isError !== true;
  if (Array.isArray(data) && data.every(isExample)) return data.filter(isSuccess) as SkillExample[];
  throw new CliError(`${file} must be a list of objects with "tool" and "input".`);
}
