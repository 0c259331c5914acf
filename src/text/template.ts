/** A piece of a template. */
export type TemplatePart =
  | { kind: "text"; text: string }
  | { kind: "argument"; name: string; written: string }
  | { kind: "resource"; address: readonly AddressPart[]; written: string }
  | { kind: "tool"; name: string };

/** A piece of an address: as it is written, or the value of an argument. */
export type AddressPart = { kind: "text"; text: string } | { kind: "argument"; name: string };

/**
 * Reads `{{name}}`, `{{resource:architecture://patterns/*}}` and `{{tool:name}}`; within an address
 * `{{name}}` may stand once more. It is read before any value is known, and never again: what a
 * value or a document holds is text, whatever it looks like. Other braces are text too.
 */
export function readTemplate(template: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let plain = "";
  const close = () => {
    if (plain !== "") parts.push({ kind: "text", text: plain });
    plain = "";
  };
  for (let at = 0; at < template.length; ) {
    const start = template.indexOf("{{", at);
    const end = start < 0 ? -1 : endOf(template, start);
    const part = end < 0 ? undefined : partOf(template.slice(start, end));
    if (part) {
      plain += template.slice(at, start);
      close();
      parts.push(part);
      at = end;
    } else {
      const next = start < 0 ? template.length : start + 1;
      plain += template.slice(at, next);
      at = next;
    }
  }
  close();
  return parts;
}

/** Longer than any address; a brace that is never closed must not be looked for to the end. */
const longest = 1_000;

/** Where the braces that open at `start` are all closed. */
function endOf(template: string, start: number): number {
  let depth = 0;
  const stop = Math.min(template.length, start + longest);
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
  return address.split(/(\{\{\s*[A-Za-z0-9_-]+\s*\}\})/).flatMap((piece): AddressPart[] => {
    const inner = /^\{\{\s*([A-Za-z0-9_-]+)\s*\}\}$/.exec(piece)?.[1];
    if (inner !== undefined) return [{ kind: "argument", name: inner }];
    return piece === "" ? [] : [{ kind: "text", text: piece }];
  });
}
