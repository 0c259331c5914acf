import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{src,tests,web}/**/*.test.ts"],
    setupFiles: ["tests/own-temporary-folder.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // How long a test waits for something to happen; a busy machine is no failure.
    expect: { poll: { timeout: 15_000 } },
    // Journeys start whole programs; more at once than there are cores only makes them wait.
    maxWorkers: 2,
  },
});
