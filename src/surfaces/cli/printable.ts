/**
 * Text that a terminal may show. A document can hold escape sequences that recolour, retitle or
 * answer the terminal; each control character becomes its picture, so that a reader sees it.
 * Line ends and tabs stay.
 */
export function printable(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(controls, picture);
}

/** The same for JSON, by escapes that keep it JSON. C0 controls in strings are escaped already. */
export function printableJson(json: string): string {
  return json.replace(
    controls,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is for
const controls = /[\0-\x08\x0b-\x1f\x7f-\x9f]/g;

/** U+2400 and following are pictures of the first 32 controls, U+2421 is that of DEL. */
function picture(control: string): string {
  const code = control.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "\u2421" : "\ufffd";
}
