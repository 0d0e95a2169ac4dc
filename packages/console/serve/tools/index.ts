export { handleToolsRequest } from "./api.ts";
export { CallLog, MAX_CALLS } from "./calls/call-log.ts";
export { openCalls } from "./calls/open-calls.ts";
export { ApiFailure } from "./failure.ts";
export { maskVariables } from "./mask-variables.ts";
export { MessageLog } from "./message-log.ts";
export { serverStates } from "./server-states.ts";
export type { TextUse, ToolsLogins, ToolsRequest, ToolsSource } from "./source.ts";
export { takesPassword } from "./takes-password.ts";
export { toolsUsing } from "./tools-using.ts";
export type {
  CallRecord,
  ConsoleParts,
  LoginState,
  SavedTest,
  SavedTests,
  ServerState,
  VariableState,
} from "./types.ts";
