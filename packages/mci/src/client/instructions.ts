import type { LoadedInstructions } from "../load/content/instructions.ts";

/** What an MCP server says to the model about how to use it. */
export interface ServerInstructions {
  /** The name of the server in the file. */
  readonly server: string;
  /** The server's words, without secrets and hidden characters. Hostile, as a description of a tool may be. */
  readonly text: string;
  /** The same as a part of a prompt: under the name of the server, each line quoted, so that the end cannot be forged. */
  readonly quoted: string;
}

export function toServerInstructions({ listed, source, prefix }: LoadedInstructions): ServerInstructions {
  const server = JSON.stringify(source.server);
  const names = prefix === "" ? "" : `; here the names of its tools begin with ${JSON.stringify(prefix)}`;
  const quote = listed.text.replaceAll("\n", "\n> ");
  return {
    server: source.server,
    text: listed.text,
    quoted: `The MCP server ${server} says about its own tools${names}:\n> ${quote}`,
  };
}
