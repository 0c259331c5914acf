import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const place = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: place("."),
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: place("../dist/web"),
    emptyOutDir: true,
    // The policy of the page allows files of the server and nothing written into the page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
