import { SERVER, STARTER, TOOLSET, WELCOME } from "./starter.ts";

export interface StarterFile {
  readonly path: string;
  readonly text: string;
  /** Lines to add to a file that is there already; any other existing file is left alone. */
  readonly append?: readonly string[];
}

/** The files of a new project. Toolsets and servers follow the format of the main file. */
export async function starterFiles(format: "json" | "yaml"): Promise<StarterFile[]> {
  const { default: schema } = await import("mci-ts/schema.json", { with: { type: "json" } });
  const print = await printer(format);
  return [
    { path: `mci.${format}`, text: print(STARTER, "./mci/mci.schema.json") },
    { path: `mci/example_toolset.mci.${format}`, text: print(TOOLSET, "./mci.schema.json") },
    // The name is written in mcp_servers, so it does not follow the format.
    { path: "mci/example_server.mci.json", text: (await printer("json"))(SERVER, "./mci.schema.json") },
    { path: "mci/welcome.md", text: WELCOME },
    // A copy, so that editors complete without a network; `mci schema` prints a newer one.
    { path: "mci/mci.schema.json", text: `${JSON.stringify(schema, null, 2)}\n` },
    ignore("mci/.gitignore", ["mcp/", ".env", ".env.mci"]),
    ignore(".gitignore", [".env.mci"]),
  ];
}

function ignore(path: string, lines: readonly string[]): StarterFile {
  return { path, text: lines.map((line) => `${line}\n`).join(""), append: lines };
}

type Print = (document: object, schema: string) => string;

async function printer(format: "json" | "yaml"): Promise<Print> {
  if (format === "json")
    return (document, $schema) => `${JSON.stringify({ $schema, ...document }, null, 2)}\n`;
  const { stringify } = await import("yaml");
  // The comment is what YAML editors look for.
  return (document, schema) =>
    `# yaml-language-server: $schema=${schema}\n${stringify(document, { lineWidth: 0 })}`;
}
