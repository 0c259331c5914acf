/** Expands `#RGB` to `#RRGGBB`; undefined if the text is not a color. */
export function expandHexColor(color: string): string | undefined {
  if (/^#[0-9a-f]{6}$/i.test(color)) return color;
  return /^#[0-9a-f]{3}$/i.test(color) ? color.replaceAll(/[0-9a-f]/gi, "$&$&") : undefined;
}
