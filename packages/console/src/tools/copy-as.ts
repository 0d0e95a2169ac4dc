import { shellWord } from "@mci-ts/primitives/shell-word";
/** A call in other words, each complete: what is copied runs as it is. Values are quoted, so a value stays a value. */

export interface CopiedCall {
  readonly file: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export function asCommand({ file, tool, input }: CopiedCall): string {
  return `mci call ${shellWord(tool)} --file ${shellWord(file)} --params ${shellWord(JSON.stringify(input))}`;
}

export function asTypeScript({ file, tool, input }: CopiedCall): string {
  return `import { MCIClient } from "mci-ts";

const client = await MCIClient.load(${literal(file)}, { env: process.env });
const { isError, content } = await client.call(${literal(tool)}, ${literal(input)});
console.log(isError ? "The tool failed." : "The tool succeeded.", content);
await client.close();
`;
}

/** For the settings of an MCP client: all tools of the file. */
export function asMcpConfig({ file }: Pick<CopiedCall, "file">): string {
  const server = { command: "npx", args: ["-y", "@mci-ts/cli", "run", file] };
  return `${JSON.stringify({ mcpServers: { tools: server } }, undefined, 2)}\n`;
}

/** undefined where the preview is not an HTTP request, or its body is not text. */
export function asCurl(preview: unknown): string | undefined {
  const {
    type,
    method = "GET",
    url,
    headers = {},
    body,
    bodyEncoding,
  } = (preview ?? {}) as {
    type?: string;
    method?: string;
    url?: string;
    headers?: Readonly<Record<string, string>>;
    body?: string;
    bodyEncoding?: string;
  };
  if (type !== "http" || url === undefined || bodyEncoding !== undefined) return undefined;
  const verb = method === "HEAD" ? "--head" : `-X ${shellWord(method)}`;
  const parts = [
    // Brackets and braces of an address are not patterns.
    `curl --globoff ${verb} ${shellWord(url)}`,
    ...Object.entries(headers).map(([name, value]) =>
      // curl leaves out a header that ends with its colon.
      value === "" ? `-H ${shellWord(`${name};`)}` : `-H ${shellWord(`${name}: ${value}`)}`,
    ),
    ...(body === undefined ? [] : [`--data-raw ${shellWord(body)}`]),
  ];
  const command = parts.join(" \\\n  ");
  return command.includes("***") ? `# Secrets are masked: replace *** by them.\n${command}` : command;
}

function literal(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}
