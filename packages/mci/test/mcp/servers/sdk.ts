import { setTimeout as sleep } from "node:timers/promises";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createWorkbench } from "./workbench.ts";
import { log } from "./workbench-tools.ts";

// The workbench over pipes by the official server, for both generations of the protocol; `node sdk.ts reject` for the newer one only. With
// SLOW, the first start takes that many milliseconds, as if something had to be downloaded.

const starts = log(`start ${process.pid}`);
if (starts === 1) await sleep(Number(process.env["SLOW"] ?? 0));
serveStdio(createWorkbench, { legacy: process.argv[2] === "reject" ? "reject" : "serve" });
