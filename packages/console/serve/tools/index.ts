export { handleToolsRequest, type ToolsRequest } from "./api.ts";
export { CallLog } from "./call-log.ts";
export { serverStates } from "./server-states.ts";
export type { ToolsLogins, ToolsSource } from "./source.ts";
export type { ConsoleParts, LoginState, ServerState, VariableState } from "./types.ts";
