import { serveLines } from "../../../../../test/programs/serve-lines.ts";
import { callTool, listTools, log } from "./workbench-tools.ts";

// The workbench over pipes, for both generations of the protocol.

log(`start ${process.pid}`);
serveLines({ name: "workbench", listTools, callTool });
