export const SAMPLE_INPUT = {
  type: "object",
  properties: { q: { type: "string" }, fold: { type: "boolean", default: false } },
  required: ["q"],
};

/** Tools of the four kinds that need no server of their own, in turn. */
export function sampleTool(index: number) {
  const executions = [
    { type: "text", text: `Tool ${index} says {{props.q}}` },
    {
      type: "http",
      url: `https://api.example.com/${index}/{{props.q}}`,
      params: { q: "{{props.q}}" },
      headers: { "X-Key": "{{env.KEY}}" },
    },
    {
      type: "cli",
      command: "grep",
      args: ["-n", "{{props.q}}"],
      flags: { "-i": { from: "props.fold", type: "boolean" } },
    },
    { type: "file", path: `./files/${index}-{{props.q}}.txt` },
  ];
  return {
    name: `tool_${index}`,
    description: `Sample tool number ${index}`,
    inputSchema: SAMPLE_INPUT,
    execution: executions[index % executions.length],
    tags: ["sample"],
  };
}
