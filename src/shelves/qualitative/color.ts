/** A color with all of its digits, `#RRGGBB`; undefined where it is none. */
export function wholeColor(given: string): string | undefined {
  if (/^#[0-9a-f]{6}$/i.test(given)) return given;
  return /^#[0-9a-f]{3}$/i.test(given) ? given.replaceAll(/[0-9a-f]/gi, "$&$&") : undefined;
}
