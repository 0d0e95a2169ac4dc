/** Small MCI files that several stories use. */

export const greet = {
  name: "greet",
  description: "Greets [bold]people[/bold], use [x]",
  tags: ["talk"],
  inputSchema: {
    type: "object",
    properties: { name: { type: "string" }, times: { type: "integer", default: 1 }, any: true },
    required: ["name"],
  },
  execution: {
    type: "text",
    text: "@for(i in range(0, props.times))\nHello {{props.name}}\n@endfor\n@if(props.any == '?')\n@endif\n",
  },
};

export const echo = { name: "echo", tags: ["raw"], execution: { type: "text", text: "{{props}}" } };

export const node = (name: string, code: string, more: object = {}) => ({
  name,
  execution: { type: "cli", command: process.execPath, args: ["-e", code], ...more },
});

export const file = (...tools: object[]) => ({ schemaVersion: "1.0", tools });
