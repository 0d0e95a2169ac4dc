import type { MCIClient } from "mci-ts";

/** Characters of all servers together, quoted: a model reads them before it is asked anything. */
const MAX_CHARACTERS = 50_000;

export interface SentInstructions {
  /** The file's own description, then what its servers say. Empty if nothing. */
  readonly text: string;
  /** Servers whose instructions are not sent, because those before them in the file take the room. */
  readonly leftOut: readonly string[];
}

/** What clients are told for their model. */
export function instructionsOf(client: MCIClient): SentInstructions {
  const parts = [client.metadata.description];
  const leftOut: string[] = [];
  let left = MAX_CHARACTERS;
  for (const { server, quoted } of client.instructions()) {
    if (quoted.length > left) leftOut.push(server);
    else {
      left -= quoted.length;
      parts.push(quoted);
    }
  }
  if (leftOut.length > 0)
    parts.push(`Instructions of other MCP servers are left out here: ${leftOut.map(quote).join(", ")}.`);
  return { text: parts.filter(Boolean).join("\n\n"), leftOut };
}

const quote = (name: string) => JSON.stringify(name);
