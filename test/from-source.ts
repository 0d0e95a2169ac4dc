import { registerHooks } from "node:module";

/** For `node --import`: a script that imports our packages gets them from source, not from the last build. */
const SOURCES: Readonly<Record<string, string>> = {
  "mci-ts": new URL("../packages/mci/src/index.ts", import.meta.url).href,
  ...Object.fromEntries(
    ["ai-sdk", "anthropic", "google", "langchain", "openai", "openai-agents"].map((name) => [
      `mci-ts/${name}`,
      new URL(`../packages/mci/src/adapters/${name}.ts`, import.meta.url).href,
    ]),
  ),
  "mci-ts/openapi": new URL("../packages/mci/src/openapi/index.ts", import.meta.url).href,
  "mci-ts/schema.json": new URL("../packages/mci/mci.schema.json", import.meta.url).href,
  "@mci-ts/council": new URL("../packages/council/src/index.ts", import.meta.url).href,
};

registerHooks({
  resolve: (specifier, context, next) =>
    Object.hasOwn(SOURCES, specifier)
      ? { url: SOURCES[specifier]!, shortCircuit: true }
      : next(specifier, context),
});
