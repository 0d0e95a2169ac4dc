import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { build, defineConfig, type Plugin } from "vite";

const REPLAY = "virtual:replay";

// Relative addresses, so that the same files can be served below any path. No inline script or style: the page is served
// under a Content-Security-Policy that refuses both.
export default defineConfig({
  base: "./",
  plugins: [replayBundle()],
  worker: { format: "es" },
  build: {
    target: "es2023",
    outDir: "dist",
    assetsDir: "assets",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    reportCompressedSize: true,
  },
});

/** The replay of a shared run, built apart into one script and one style, as a module of texts that is loaded when a run is shared. */
function replayBundle(): Plugin {
  return {
    name: "replay-bundle",
    resolveId: (id) => (id === REPLAY ? `\0${REPLAY}` : undefined),
    async load(id) {
      if (id !== `\0${REPLAY}`) return undefined;
      const { script, style } = await buildReplay();
      const hash = (text: string) => `sha256-${createHash("sha256").update(text).digest("base64")}`;
      const bundle = { script, scriptHash: hash(script), style, styleHash: hash(style) };
      return `export default ${JSON.stringify(bundle)};`;
    },
  };
}

async function buildReplay(): Promise<{ script: string; style: string }> {
  const source = (path: string) => fileURLToPath(new URL(`src/${path}`, import.meta.url));
  const built = await build({
    configFile: false,
    logLevel: "error",
    plugins: [
      {
        name: "plain-markdown",
        enforce: "pre",
        resolveId: (id) =>
          id.endsWith("parts/markdown/markdown.tsx") ? source("replay/plain-markdown.tsx") : undefined,
      },
    ],
    build: {
      target: "es2023",
      write: false,
      cssCodeSplit: false,
      assetsInlineLimit: 100_000,
      modulePreload: false,
      rollupOptions: {
        input: source("replay/main.tsx"),
        output: { format: "es", codeSplitting: false },
      },
    },
  });
  const files = (Array.isArray(built) ? built : [built]).flatMap((one) =>
    "output" in one ? one.output : [],
  );
  const script = files.flatMap((file) => (file.type === "chunk" ? [file.code] : [])).join("\n");
  const style = files
    .flatMap((file) => (file.type === "asset" && file.fileName.endsWith(".css") ? [String(file.source)] : []))
    .join("\n");
  // Inside of an HTML file, nothing of a script or a style may look like its end.
  return {
    script: script.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--"),
    style: style.replaceAll("</style", "<\\/style"),
  };
}
