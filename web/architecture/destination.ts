import type { Address } from "../address.ts";
import { decisionAt, place } from "./place.ts";

/**
 * Where a link of a document leads: to another decision, to a document of the architecture, or out
 * of the library. Undefined for what cannot be opened here.
 */
export function destinationIn(
  file: string,
  written: string,
  decisions: ReadonlyMap<string, unknown>,
): Address | string | undefined {
  if (/^architecture:\/\//.test(written)) return place("document", written);
  if (/^(?:https?:\/\/|mailto:)/i.test(written)) return written;
  const [path = ""] = written.split("#");
  // The host is never asked: it only makes a path from two paths.
  const known = URL.canParse(path, `file:///${file}`)
    ? decodedPath(new URL(path, `file:///${file}`))
    : undefined;
  return known !== undefined && decisions.has(known) ? decisionAt(known) : undefined;
}

function decodedPath({ protocol, pathname }: URL): string | undefined {
  try {
    return protocol === "file:" ? decodeURIComponent(pathname.slice(1)) : undefined;
  } catch {
    return undefined;
  }
}
