/**
 * Makes text safe for a terminal. A document can contain escape sequences that recolour or retitle
 * the terminal or inject input; each control character is replaced by its visible symbol. Line
 * ends and tabs are unchanged.
 */
export function replaceControls(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(controls, controlPicture);
}

/** The same for JSON, by JSON escapes. JSON.stringify has already escaped C0 controls in strings. */
export function escapeJsonControls(json: string): string {
  return json.replace(
    controls,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters
const controls = /[\0-\x08\x0b-\x1f\x7f-\x9f]/g;

/** The Control Pictures block: U+2400 + code for the C0 controls, U+2421 for DEL. */
function controlPicture(control: string): string {
  const code = control.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "\u2421" : "\ufffd";
}
