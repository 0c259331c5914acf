/** Prints a measurement with the test's name. The test itself checks the limit. */
export function showFigures(...lines: string[]): void {
  // biome-ignore lint/suspicious/noConsole: vitest shows it with the test that printed it
  console.info(lines.join("\n"));
}
