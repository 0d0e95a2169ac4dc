/** Tools whose input has every shape that types are generated for. */
export const tools = [
  {
    name: "weather.get",
    description: "Weather of a city.\nWithout a unit: */ Celsius.",
    inputSchema: {
      type: "object",
      properties: {
        city: { type: "string", description: "Its name" },
        "filter[unit]": { enum: ["c", "f", null] },
        days: { type: "integer", default: 1 },
        near: { type: "array", items: { type: ["string", "number"] } },
      },
      required: ["city", "days"],
    },
    outputSchema: { type: "object", properties: { degrees: { type: "number" } }, required: ["degrees"] },
  },
  {
    name: "tree",
    inputSchema: {
      type: "object",
      properties: { root: { $ref: "#/$defs/node" } },
      required: ["root"],
      $defs: {
        node: {
          type: "object",
          properties: {
            name: { type: "string" },
            children: { type: "array", items: { $ref: "#/$defs/node" } },
          },
          required: ["name"],
        },
      },
    },
  },
  { name: "ping" },
  {
    name: "2nd-shape",
    inputSchema: {
      oneOf: [
        {
          type: "object",
          properties: { kind: { const: "circle" }, r: { type: "number" } },
          required: ["kind", "r"],
        },
        {
          type: "object",
          properties: { kind: { const: "box" }, size: { prefixItems: [{ type: "number" }], type: "array" } },
          required: ["kind"],
        },
      ],
    },
  },
];

/** That many of them, named `tool_0` and so on. */
export const manyTools = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ ...tools[index % tools.length]!, name: `tool_${index}` }));
