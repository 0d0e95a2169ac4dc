import { resolve } from "node:path";
import { usageError } from "../cli-error.ts";
import { command } from "../command.ts";
import { discoverFile } from "../project/discover.ts";
import { mcpTimeouts, projectEnv } from "../project/load.ts";
import { ENV, FILE, MCP_TIMEOUT } from "../project/options.ts";

export default command({
  summary: "Open the web console: try the tools, edit the file, see its problems.",
  details:
    "Serves a page on 127.0.0.1 that only this machine reaches, and opens the browser. The token in the address works\n" +
    "once. The file is watched: an edit shows at once, and what was typed into forms stays.",
  operands: [{ name: "FILE", help: "The MCI file; the same as --file.", complete: "file" }],
  options: {
    ...FILE,
    port: { type: "string", value: "PORT", help: "The port to listen on. Default: a free one." },
    "no-open": { type: "boolean", help: "Print the address only; open no browser." },
    "no-store": {
      type: "boolean",
      help: "Keep calls in memory: store none in a file, and list none of earlier commands.",
    },
    ...ENV,
    ...MCP_TIMEOUT,
  },
  examples: [
    { command: "mci ui", about: "The file of this folder, in the browser" },
    { command: "mci ui tools.mci.json --port 4000 --no-open", about: "On a fixed port, e.g. to forward it" },
  ],
  async run({ values, operands: [operand] }, context) {
    if (operand !== undefined && values.file !== undefined)
      throw usageError("The file is given twice.", "Leave out --file.");
    const file = discoverFile(operand ?? values.file, context.cwd);
    const port = readPort(values.port);
    const mcp = mcpTimeouts(values["mcp-timeout"]);
    const { ui } = await import("../ui/ui.ts");
    return ui({
      file,
      env: () => projectEnv(file, values, context),
      envFiles: values.dotenv.map((path) => resolve(context.cwd, path)),
      mcp,
      port,
      open: !values["no-open"],
      storeCalls: !values["no-store"],
      context,
    });
  },
});

function readPort(text = "0"): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw usageError(`--port cannot be '${text}'.`, "Write a number from 0 to 65535, e.g. --port 4000.");
  return Number(text);
}
