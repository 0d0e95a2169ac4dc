import { readFileSync } from "node:fs";
import { serveLines } from "../../../../../test/programs/serve-lines.ts";

// Lists the tools that a JSON file holds when it is asked; a call returns its name and arguments, and the tool "json" these alone.

const file = process.argv[2]!;

serveLines({
  name: "changing",
  listTools: () => ({ tools: JSON.parse(readFileSync(file, "utf8")) }),
  callTool(name, args) {
    const json = JSON.stringify(args);
    return { content: [{ type: "text", text: name === "json" ? json : `${name} ${json}` }] };
  },
});
