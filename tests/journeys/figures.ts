/** Prints a test's measurement beside its name; the test itself checks the limit. */
export function showFigures(...lines: string[]): void {
  // biome-ignore lint/suspicious/noConsole: vitest shows it with the test that printed it
  console.info(lines.join("\n"));
}
