/** Shows what a test has measured, beside its name; what it must be is the test's own matter. */
export function showFigures(...lines: string[]): void {
  // biome-ignore lint/suspicious/noConsole: vitest shows it with the test that said it
  console.info(lines.join("\n"));
}
