import { mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { usageError } from "../cli-error.ts";
import { command } from "../command.ts";
import { saveText } from "../edit/save-text.ts";
import type { Imported } from "../import/imported.ts";
import { IMPORT_KINDS } from "../import/kinds.ts";
import { IMPORT_OPTIONS } from "../import/options.ts";
import { shortPath } from "../print/problems.ts";
import { spinner } from "../print/spinner.ts";

const anyOf = new Intl.ListFormat("en-GB", { type: "disjunction" });
const KINDS = Object.keys(IMPORT_KINDS);
const ABOUT = Object.values(IMPORT_KINDS);

export default command({
  summary: `Make tools from ${anyOf.format(ABOUT.map(({ from }) => from))}.`,
  details:
    `${ABOUT.map(({ help }) => help).join("\n")}\n` +
    "Secrets never go into the file; they become variables. Importing again into the same file says what changed.",
  operands: [
    { name: "KIND", help: `${anyOf.format(KINDS)}.`, required: true, choices: KINDS },
    { name: "SOURCE", help: "A file, an address, or the curl command.", required: true, complete: "file" },
  ],
  options: IMPORT_OPTIONS,
  examples: [
    {
      command: "mci import openapi https://petstore3.swagger.io/api/v3/openapi.json -o mci/petstore.mci.json",
      about: "A whole API",
    },
    {
      command: "mci import openapi github.json --tag issues --read-only -o mci/github.mci.yaml",
      about: "A part of it",
    },
    {
      command: "mci import curl 'curl https://api.example.com/search?q=x -H \"Accept: application/json\"'",
      about: "One request",
    },
    {
      command: "mci import mcp-config claude -o mci.json --write-env .env",
      about: "The servers of another client",
    },
  ],
  async run({ values, operands: [kind = "", source = ""] }, context) {
    const { stdout, stderr, cwd } = context;
    const progress = spinner(stderr);
    let imported: Imported;
    try {
      progress.show(`Importing ${kind}`);
      const whole = await IMPORT_KINDS[kind]!.read(source, values, context, (text) => progress.show(text));
      progress.show("Checking what is about to be written");
      const { leaveOutInvalid, requireSomething } = await import("../import/leave-out-invalid.ts");
      imported = await leaveOutInvalid(whole, dirname(resolve(cwd, values.out ?? "tools.json")));
      requireSomething(imported);
    } finally {
      progress.stop();
    }
    const [{ mergeInto, write }, { printSummary, summaryAsJson }] = await Promise.all([
      import("../import/merge.ts"),
      import("../import/summary.ts"),
    ]);
    const isJson = values.format === "json";
    const finish = async () => {
      if (values["write-env"] === undefined) return;
      const { writeEnv } = await import("../import/write-env.ts");
      const { printWrittenEnv } = await import("../import/summary.ts");
      const envFile = resolve(cwd, values["write-env"]);
      const envFileName = shortPath(envFile, cwd);
      printWrittenEnv(await writeEnv(envFile, imported, envFileName), envFileName, stderr);
    };
    if (values.out === undefined) {
      if (isJson) stdout.write(summaryAsJson(imported, undefined, undefined));
      else {
        stdout.write(await write(imported.document, "tools.json"));
        printSummary(imported, undefined, undefined, stderr, context.env);
      }
      await finish();
      return 0;
    }
    const file = resolve(cwd, values.out);
    if (!/\.(json|ya?ml)$/i.test(file)) throw usageError("--out must name a .json, .yaml or .yml file.");
    const fileName = shortPath(file, cwd);
    const { mode } = IMPORT_KINDS[kind]!;
    const { before, text, changes, isSame } = await mergeInto(file, imported.document, mode, values.force);
    if (!isSame) {
      mkdirSync(dirname(file), { recursive: true });
      await saveText(file, text, before, fileName);
    }
    if (isJson) stdout.write(summaryAsJson(imported, changes, fileName));
    else printSummary(imported, changes, fileName, stdout, context.env);
    await finish();
    return 0;
  },
});
