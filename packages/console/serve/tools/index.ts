export { handleToolsRequest } from "./api.ts";
export { CallLog, MAX_CALLS } from "./call-log.ts";
export type { CallStore } from "./call-store.ts";
export { MessageLog } from "./message-log.ts";
export { serverStates } from "./server-states.ts";
export type { TextUse, ToolsLogins, ToolsRequest, ToolsSource } from "./source.ts";
export type { CallRecord, ConsoleParts, LoginState, ServerState, VariableState } from "./types.ts";
