export type { PlanState } from "./api/task-schemas.ts";
export { type Config, ConfigError, readConfig } from "./config/config.ts";
export { SETTINGS } from "./config/settings.ts";
export { HTTP_ERRORS, type HttpErrorCode } from "./http/errors.ts";
export type { PostgresModule, PostgresStoreOptions } from "./postgres.ts";
export { type CouncilServer, type ServeOptions, serve } from "./server.ts";
export type {
  BudgetExchange,
  BudgetState,
  KeyClaim,
  KeyedRun,
  SharedRuns,
  StoreBackend,
  WebhookFilter,
  WriteErrorKind,
} from "./store/backend.ts";
export type {
  CachedResponse,
  Measurement,
  MeasurementSubject,
  PendingWebhook,
  RunDetailRow,
  RunQuery,
  RunRow,
  RunSort,
  RunState,
  SessionCost,
  StoredResponse,
  StoreRecord,
  VoteAgreement,
} from "./store/records.ts";
