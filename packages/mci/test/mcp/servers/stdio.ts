import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createWorkbench, log } from "./workbench.ts";

// The workbench over pipes, for both generations of the protocol; `node stdio.ts reject` for the newer one only.

log(`start ${process.pid}`);
serveStdio(createWorkbench, { legacy: process.argv[2] === "reject" ? "reject" : "serve" });
