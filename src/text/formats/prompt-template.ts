export type TemplatePart =
  | { kind: "text"; text: string }
  | { kind: "argument"; name: string; written: string }
  | { kind: "resource"; address: readonly AddressPart[]; written: string }
  | { kind: "tool"; name: string };

/** A part of a resource address: literal text, or the value of an argument. */
export type AddressPart = { kind: "text"; text: string } | { kind: "argument"; name: string };

/**
 * Parses `{{name}}`, `{{resource:architecture://patterns/*}}` and `{{tool:name}}`; an address may
 * contain `{{name}}` placeholders. Templates are parsed before values are inserted, so placeholder
 * syntax inside a value is never expanded. Other braces are text.
 */
export function parseTemplate(template: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let text = "";
  const flushText = () => {
    if (text !== "") parts.push({ kind: "text", text });
    text = "";
  };
  for (let at = 0; at < template.length; ) {
    const start = template.indexOf("{{", at);
    const end = start < 0 ? -1 : endOf(template, start);
    const part = end < 0 ? undefined : partOf(template.slice(start, end));
    if (part) {
      text += template.slice(at, start);
      flushText();
      parts.push(part);
      at = end;
    } else {
      const next = start < 0 ? template.length : start + 1;
      text += template.slice(at, next);
      at = next;
    }
  }
  flushText();
  return parts;
}

/** Limits the scan for a closing brace; without a limit, parsing could take quadratic time. */
const maxPlaceholderLength = 1_000;

/** The end of the balanced braces that open at `start`, or -1. */
function endOf(template: string, start: number): number {
  let depth = 0;
  const stop = Math.min(template.length, start + maxPlaceholderLength);
  for (let at = start; at < stop; at++) {
    if (template[at] === "{") depth++;
    else if (template[at] === "}" && --depth === 0) return at + 1;
    else if (template[at] === "\n") return -1;
  }
  return -1;
}

const name = /^[A-Za-z0-9_-]+$/;

function partOf(written: string): TemplatePart | undefined {
  const inside = written.slice(2, -2).trim();
  if (!written.endsWith("}}")) return undefined;
  if (name.test(inside)) return { kind: "argument", name: inside, written };
  const tool = /^tool:\s*([A-Za-z0-9_-]+)$/.exec(inside)?.[1];
  if (tool !== undefined) return { kind: "tool", name: tool };
  const address = /^resource:\s*(\S.*)$/.exec(inside)?.[1];
  return address === undefined
    ? undefined
    : { kind: "resource", address: addressOf(address), written };
}

function addressOf(address: string): AddressPart[] {
  return address.split(/(\{\{\s*[A-Za-z0-9_-]+\s*\}\})/).flatMap((part): AddressPart[] => {
    const argument = /^\{\{\s*([A-Za-z0-9_-]+)\s*\}\}$/.exec(part)?.[1];
    if (argument !== undefined) return [{ kind: "argument", name: argument }];
    return part === "" ? [] : [{ kind: "text", text: part }];
  });
}
