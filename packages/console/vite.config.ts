import { defineConfig } from "vite";

// Relative addresses, so that the same files can be served below any path. No inline script or style: the page is served
// under a Content-Security-Policy that refuses both.
export default defineConfig({
  base: "./",
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
