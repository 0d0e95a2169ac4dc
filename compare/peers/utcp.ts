/** The work on the UTCP client for TypeScript. It has no templates, files or commands to compare. */
import { readFile } from "node:fs/promises";
import { answerQuestions, type Setup, type Workspace } from "../speed/worker.ts";

interface UtcpClient {
  registerManual(template: object): Promise<{ success: boolean; manual: { tools: unknown[] } }>;
  callTool(name: string, args: object): Promise<unknown>;
}

// The packages lie in the folder that this file is copied to, out of sight of the compiler.
const packages = ["@utcp/sdk", "@utcp/http", "@utcp/text", "@utcp/mcp"];
const [sdk] = await Promise.all(packages.map((name) => import(name)));

const newClient = (): Promise<UtcpClient> => sdk.UtcpClient.create();

async function register(client: UtcpClient, content: string): Promise<number> {
  const { success, manual } = await client.registerManual({
    name: "m",
    call_template_type: "text",
    content,
    allowed_communication_protocols: ["text", "http", "mcp"],
  });
  if (!success) throw new Error("the manual was refused");
  return manual.tools.length;
}

const load =
  (count: number): Setup =>
  async ({ dir }) =>
  async () => {
    const content = await readFile(`${dir}/manual-${count}.json`, "utf8");
    if ((await register(await newClient(), content)) !== count) throw new Error("tools are missing");
  };

const call =
  (tool: string): Setup =>
  async ({ dir }: Workspace) => {
    const client = await newClient();
    await register(client, await readFile(`${dir}/manual-kinds.json`, "utf8"));
    return () => client.callTool(`m.${tool}`, {});
  };

await answerQuestions({
  "load-10": load(10),
  "load-1000": load(1000),
  "load-10000": load(10_000),
  text: call("text"),
  http: call("http"),
  oauth: call("alone"),
  "oauth-50": call("together"),
  mcp: async ({ mcpServer }) => {
    const client = await newClient();
    const mcpServers = { greeter: { transport: "stdio", ...mcpServer } };
    const { success, manual } = await client.registerManual({
      name: "m",
      call_template_type: "mcp",
      config: { mcpServers },
    });
    if (!success) throw new Error("the server was refused");
    const [tool] = manual.tools as { name: string }[];
    return () => client.callTool(tool?.name ?? "", { who: "Ada" });
  },
});
