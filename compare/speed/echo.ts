/** The echo server of the conformance cases as a process of its own; its origin is the only line it prints. */
import { startEchoServer } from "../../conformance/run/echo-server.ts";

const { origin } = await startEchoServer();
console.log(JSON.stringify({ origin }));
process.stdin.resume().on("end", () => process.exit());
