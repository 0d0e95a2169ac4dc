import { registerHooks } from "node:module";

// With the built library, which leaves the SDK where it is. For each step of the first argument: loads a file, runs tools of it, and
// prints its tools and what has been loaded of the MCP SDK so far.

const loaded: string[] = [];
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    if (resolved.url.includes("@modelcontextprotocol")) loaded.push(specifier);
    return resolved;
  },
});

interface Step {
  readonly file: string;
  readonly tools?: readonly string[];
  readonly validating?: boolean;
}

const { MCIClient } = await import("mci-ts");
const seen: object[] = [];
for (const { file, tools = [], validating = false } of JSON.parse(process.argv[2]!) as Step[]) {
  const client = await MCIClient.load(file, { validating });
  for (const tool of tools) await client.execute(tool);
  seen.push({ names: client.listTools(), loaded: [...loaded] });
  await client.close();
}
console.log(JSON.stringify(seen));
