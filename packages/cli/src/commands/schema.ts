import { command } from "../command.ts";

export default command({
  summary: "Print the JSON Schema of the file format.",
  details: "Editors use it to complete and check MCI files: name it in the file's $schema.",
  options: {},
  examples: [{ command: "mci schema > mci.schema.json", about: "Save a copy for the editor" }],
  async run(_, { stdout }) {
    const { default: schema } = await import("mci-ts/schema.json", { with: { type: "json" } });
    stdout.write(`${JSON.stringify(schema, null, 2)}\n`);
    return 0;
  },
});
