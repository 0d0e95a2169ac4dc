/** The starter project as data: one working tool of each kind, so that every kind can be tried and copied. */
export const STARTER = {
  schemaVersion: "1.0",
  metadata: { name: "Example Project", description: "One tool of each kind, to try and to copy" },
  tools: [
    {
      name: "greet",
      description: "Greet a person. Kind: text, a template.",
      annotations: { title: "Greet", readOnlyHint: true },
      tags: ["example"],
      inputSchema: {
        type: "object",
        properties: {
          name: { type: "string", description: "Who to greet" },
          excited: { type: "boolean", description: "With an exclamation mark", default: false },
        },
        required: ["name"],
      },
      execution: { type: "text", text: "Hello, {{props.name}}@if(props.excited)!@else.@endif" },
    },
    {
      name: "read_welcome",
      description: "Read a file next to this one and fill in its placeholders. Kind: file.",
      annotations: { title: "Read the welcome page", readOnlyHint: true },
      tags: ["example"],
      inputSchema: { type: "object", properties: { name: { type: "string", default: "newcomer" } } },
      execution: { type: "file", path: "mci/welcome.md" },
    },
    {
      name: "list_files",
      description: "List the files of a folder of this project. Kind: cli, a program without a shell.",
      annotations: { title: "List files", readOnlyHint: true },
      tags: ["example"],
      inputSchema: {
        type: "object",
        properties: { directory: { type: "string", description: "Relative to this file", default: "." } },
      },
      execution: {
        type: "cli",
        command: "node",
        args: ["-p", "fs.readdirSync(process.argv[1]).join('\\n')", "{{props.directory}}"],
        timeout_ms: 5000,
      },
    },
    {
      name: "get_repository",
      description: "Look up a public repository on GitHub. Kind: http.",
      annotations: { title: "Look up a repository", readOnlyHint: true, openWorldHint: true },
      tags: ["example", "network"],
      inputSchema: {
        type: "object",
        properties: {
          owner: { type: "string", default: "nodejs" },
          name: { type: "string", default: "node" },
        },
      },
      execution: {
        type: "http",
        method: "GET",
        url: "{{env.GITHUB_API | 'https://api.github.com'}}/repos/{{props.owner}}/{{props.name}}",
        headers: { Accept: "application/json", "User-Agent": "mci-example" },
        timeout_ms: 10000,
      },
    },
  ],
  toolsets: ["example_toolset"],
  mcp_servers: { example_server: { command: "mci", args: ["run", "--file", "mci/example_server.mci.json"] } },
} as const;

/** Included under `toolsets`. */
export const TOOLSET = {
  schemaVersion: "1.0",
  metadata: { name: "Example Toolset", description: "Tools that several projects can share" },
  tools: [
    {
      name: "shopping_list",
      description: "Print items as a list.",
      annotations: { readOnlyHint: true },
      tags: ["example"],
      inputSchema: {
        type: "object",
        properties: { items: { type: "array", items: { type: "string" } } },
        required: ["items"],
      },
      execution: { type: "text", text: "@foreach(item in props.items)\n- {{item}}\n@endforeach\n" },
    },
  ],
} as const;

/** Started as an MCP server under `mcp_servers`: `mci run` turns any MCI file into one. */
export const SERVER = {
  schemaVersion: "1.0",
  metadata: { name: "Example Server", description: "Served over MCP by 'mci run'" },
  tools: [
    {
      name: "served_echo",
      description: "Repeat a message. Comes from an MCP server. Kind: mcp.",
      annotations: { readOnlyHint: true },
      inputSchema: { type: "object", properties: { message: { type: "string" } }, required: ["message"] },
      execution: { type: "text", text: "Echo: {{props.message}}" },
    },
  ],
} as const;

export const WELCOME = `# Welcome, {{props.name}}

This page is mci/welcome.md, read by the tool "read_welcome" of the MCI file.
`;
