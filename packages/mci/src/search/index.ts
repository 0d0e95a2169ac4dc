export { type SearchToolOptions, searchTool } from "./search-tool.ts";
