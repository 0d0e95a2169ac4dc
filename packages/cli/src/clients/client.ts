/**
 * What is known about an MCP client: where its configuration is, and how a server is written there. `mci import
 * mcp-config` finds and reads configurations by it, `mci export` writes them. A new client is one file, and one line in
 * `clients.ts`.
 */
export interface McpClient {
  /** How messages call it. */
  readonly title: string;
  /** Where its configuration is. */
  places(folders: Folders): Places;
  readonly syntax: "json" | "toml";
  /** The key of the list of servers. */
  readonly servers: string;
  /** A setting that reads an environment variable. Undefined: its settings are taken as they are. */
  readonly variable?: (name: string) => string;
  /** How its settings call the folder of the project. Undefined: paths are absolute. */
  readonly projectFolder?: string;
  /** A server that it starts. */
  program(server: ProgramServer): Readonly<Record<string, unknown>>;
  /** A server at an address. Undefined: it cannot connect to one. */
  readonly address?: (server: AddressServer) => Readonly<Record<string, unknown>>;
  /** Values that it asks its user for, beside the servers. Default: none. */
  readonly inputs?: (variables: readonly ExportedVariable[]) => readonly ClientInput[];
}

interface Places {
  /** For one project. Undefined: it has none. */
  readonly project?: string;
  /** For all projects of the user. */
  readonly user?: string;
}

export interface Folders {
  readonly cwd: string;
  readonly home: string;
  /** Where programs of this system keep their settings. */
  readonly settings: string;
}

interface ProgramServer {
  readonly command: string;
  readonly args: readonly string[];
  /** Environment variables that it needs, passed on under their own names. */
  readonly variables: readonly ExportedVariable[];
}

interface AddressServer {
  readonly url: string;
  /** The environment variable with the bearer token. Default: the server asks for none. */
  readonly token?: string | undefined;
}

export interface ExportedVariable {
  readonly name: string;
  readonly isSecret: boolean;
  /** Which tools use it. */
  readonly description: string;
}

export interface ClientInput {
  readonly id: string;
}

/** `{ NAME: "${NAME}" }` as the client writes it; nothing if it cannot, or nothing is needed. */
export function envOf(
  variables: readonly ExportedVariable[],
  variable: (name: string) => string,
): { readonly env?: Readonly<Record<string, string>> } {
  if (variables.length === 0) return {};
  return { env: Object.fromEntries(variables.map(({ name }) => [name, variable(name)])) };
}

/** The header that carries the token. */
export function authorization(
  token: string | undefined,
  variable: (name: string) => string,
): { readonly headers?: Readonly<Record<string, string>> } {
  return token === undefined ? {} : { headers: { Authorization: `Bearer ${variable(token)}` } };
}

/** Entries that name their kind of transport. */
export function typedEntries(variable: (name: string) => string): Pick<McpClient, "program" | "address"> {
  return {
    program: ({ command, args, variables }) => ({
      type: "stdio",
      command,
      args,
      ...envOf(variables, variable),
    }),
    address: ({ url, token }) => ({ type: "http", url, ...authorization(token, variable) }),
  };
}
