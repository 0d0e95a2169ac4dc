import { registerHooks } from "node:module";

/** Lets `node --import` run the command from source: its library is taken from source too, not from the last build. */
const library = new URL("../../mci/src/index.ts", import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "mci-ts" ? { url: library, shortCircuit: true } : next(specifier, context),
});
