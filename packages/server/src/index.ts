export { type Config, ConfigError, readConfig } from "./config/config.ts";
export { SETTINGS } from "./config/settings.ts";
export type { LogEntry, RequestStats } from "./fake-provider/request-log.ts";
export type { Behaviour, Rule, Script, ScriptedReply, ScriptInput } from "./fake-provider/script.ts";
export { type FakeProvider, type FakeProviderOptions, startFakeProvider } from "./fake-provider/server.ts";
export { HTTP_ERRORS, type HttpErrorCode } from "./http/errors.ts";
export type { PostgresModule, PostgresStoreOptions } from "./postgres.ts";
export { type CouncilServer, type ServeOptions, serve } from "./server.ts";
export type { KeyClaim, SharedExpense, SharedRuns, StoreBackend } from "./store/backend.ts";
export type {
  CachedResponse,
  PendingWebhook,
  RunDetail,
  RunQuery,
  RunState,
  RunStatus,
  RunSummary,
  SampleRow,
  StoredResponse,
  StoreRecord,
  UnpricedUsage,
  VoteAgreement,
  VoteRow,
} from "./store/records.ts";
