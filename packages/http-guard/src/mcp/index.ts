export { createMcpEndpoint, type McpEndpoint, type McpEndpointOptions } from "./endpoint.ts";
export { StdioTransport } from "./stdio-transport.ts";
