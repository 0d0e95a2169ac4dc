export { handleToolsRequest } from "./api.ts";
export { CallLog } from "./call-log.ts";
export { MessageLog } from "./message-log.ts";
export { serverStates } from "./server-states.ts";
export type { ToolsLogins, ToolsRequest, ToolsSource } from "./source.ts";
export type { ConsoleParts, LoginState, ServerState, VariableState } from "./types.ts";
