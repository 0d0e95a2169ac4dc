/** Starts the built service. Its console shows the tools of the quickstart example, unless MCI_TOOLS names other ones; seats are offered none of them. */
import { fileURLToPath } from "node:url";

if (!process.env.MCI_TOOLS)
  process.env.MCI_CONSOLE_TOOLS ||= fileURLToPath(
    new URL("../examples/quickstart/tools.mci.json", import.meta.url),
  );
await import("../packages/council-server/bin/mci-council.cjs" as string);
