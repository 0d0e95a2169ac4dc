import { registerHooks } from "node:module";

// With the built library, which leaves the SDK where it is: loads the file in the first argument, runs the tools in the others, and prints what was loaded of the MCP SDK.

const loaded: string[] = [];
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    if (resolved.url.includes("@modelcontextprotocol")) loaded.push(specifier);
    return resolved;
  },
});

const { MCIClient } = await import("mci-ts");
const [file, ...tools] = process.argv.slice(2);
const client = await MCIClient.load(file!, { validating: process.env["VALIDATING"] === "1" });
for (const tool of tools) await client.execute(tool);
const names = client.listTools();
await client.close();
console.log(JSON.stringify({ names, loaded }));
