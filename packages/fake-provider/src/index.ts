export type { DialectName } from "./dialects/index.ts";
export type { LogEntry, RequestStats } from "./request-log.ts";
export type { Behaviour, Rule, Script, ScriptedReply, ScriptInput } from "./script.ts";
export { type FakeProvider, type FakeProviderOptions, startFakeProvider } from "./server.ts";
