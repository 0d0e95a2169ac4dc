/** Starts the built service. Its console shows the tools of the quickstart example, unless MCI_TOOLS names other ones. */
import { fileURLToPath } from "node:url";

process.env.MCI_TOOLS ||= fileURLToPath(new URL("../examples/quickstart/tools.mci.json", import.meta.url));
await import("../packages/server/bin/mci-council.cjs" as string);
