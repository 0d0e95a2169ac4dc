export { type Config, ConfigError, readConfig } from "./config.ts";
export { HTTP_ERRORS, type HttpErrorCode } from "./http/errors.ts";
export { type CouncilServer, type ServeOptions, serve } from "./server.ts";
export { SETTINGS } from "./settings.ts";
export type { LogEntry, SimStats } from "./sim/log.ts";
export type { Behaviour, Reply, Rule, Script, ScriptInput } from "./sim/reply.ts";
export { type Sim, type SimOptions, startSim } from "./sim/server.ts";
