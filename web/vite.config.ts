import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: pathOf("."),
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: pathOf("../dist/web"),
    emptyOutDir: true,
    // The content security policy allows files from the server, but no inline content.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
