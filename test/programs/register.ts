import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";
import { program } from "./programs.ts";

/** For `node --import`: a script that imports our packages gets them as they are now, not from the last build. */
const adapters = ["ai-sdk", "anthropic", "google", "langchain", "openai", "openai-agents"];
const library = (file: string) => pathToFileURL(program("packages/mci", file)).href;
const LOCATIONS: Readonly<Record<string, string>> = {
  "mci-ts": library("index.js"),
  ...Object.fromEntries(adapters.map((name) => [`mci-ts/${name}`, library(`adapters/${name}.js`)])),
  "mci-ts/authoring": library("authoring.js"),
  "mci-ts/login": library("login/index.js"),
  "mci-ts/openapi": library("openapi/index.js"),
  "mci-ts/code": library("code/index.js"),
  "mci-ts/search": library("search/index.js"),
  "mci-ts/schema.json": new URL("../../packages/mci/mci.schema.json", import.meta.url).href,
  "@mci-ts/council": new URL("../../packages/council/src/index.ts", import.meta.url).href,
};

registerHooks({
  resolve: (specifier, context, next) =>
    Object.hasOwn(LOCATIONS, specifier)
      ? { url: LOCATIONS[specifier]!, shortCircuit: true }
      : next(specifier, context),
});
