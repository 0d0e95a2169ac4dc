import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** One pixel. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** The file that both servers serve; returns its path. */
export function writeServed(dir: string, origin: string): string {
  const answer = (query: Record<string, string>) => `${origin}/answer?${new URLSearchParams(query)}`;
  const object = (properties: object) => ({ type: "object", properties, required: Object.keys(properties) });
  const tools = [
    {
      name: "greet",
      description: "Greets someone",
      inputSchema: object({ who: { type: "string" } }),
      execution: { type: "text", text: "Hello {{props.who}}" },
    },
    {
      name: "data",
      execution: { type: "http", url: answer({ type: "application/json", text: '{"temperature":21}' }) },
    },
    {
      name: "picture",
      execution: { type: "http", url: answer({ type: "image/png", base64: PNG }) },
    },
    {
      name: "sound",
      execution: { type: "http", url: answer({ type: "audio/wav", base64: "UklGRiQAAABXQVZFZm10IA==" }) },
    },
    { name: "fails", execution: { type: "http", url: answer({ status: "500", text: "broken" }) } },
    {
      name: "echo",
      inputSchema: object({ say: { type: "string" } }),
      execution: { type: "cli", command: "echo", args: ["{{props.say}}"] },
    },
    { name: "secret", execution: { type: "text", text: "not for everybody" } },
  ];
  const path = join(dir, "served.mci.json");
  writeFileSync(path, JSON.stringify({ schemaVersion: "1.0", tools }));
  return path;
}
