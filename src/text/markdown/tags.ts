import { withEntities } from "./written.ts";

/** A tag of HTML, and where it stands in its text. */
export interface Tag {
  /** In small letters; `/h1` for one that closes. */
  name: string;
  attributes: ReadonlyMap<string, string>;
  start: number;
  end: number;
}

const openTag =
  /<([a-z][a-z0-9:.-]*)((?:\s+[a-z_:@{][\w.:@{}-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*)\s*\/?>/iy;
const closeTag = /<\/([a-z][a-z0-9:.-]*)\s*>/iy;
const attribute = /([a-z_:@][\w.:@-]*)(?:\s*=\s*([^\s"'=<>`]+|'[^']*'|"[^"]*"))?/gi;

/** The tag that begins at a place, if one does. */
export function tagAt(text: string, start: number): Tag | undefined {
  openTag.lastIndex = start;
  const opened = openTag.exec(text);
  if (opened) {
    const [whole, name = "", written = ""] = opened;
    return {
      name: name.toLowerCase(),
      attributes: attributesOf(written),
      start,
      end: start + whole.length,
    };
  }
  closeTag.lastIndex = start;
  const closed = closeTag.exec(text);
  if (!closed) return undefined;
  const name = `/${(closed[1] ?? "").toLowerCase()}`;
  return { name, attributes: new Map(), start, end: start + closed[0].length };
}

function attributesOf(written: string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = "", value = ""] of written.matchAll(attribute)) {
    const plain = /^["']/.test(value) ? value.slice(1, -1) : value;
    const key = name.toLowerCase();
    // Of two attributes with one name, browsers take the first.
    if (!attributes.has(key)) attributes.set(key, withEntities(plain));
  }
  return attributes;
}

/**
 * Finds where comments, instructions and declarations end, which browsers pass over; undefined
 * where none begins. A mark that was looked for in vain is not looked for again.
 */
export function passerOver(text: string): (start: number) => number | undefined {
  const absent = new Set<string>();
  const behind = (mark: string, from: number): number | undefined => {
    const place = absent.has(mark) ? -1 : text.indexOf(mark, from);
    if (place < 0) absent.add(mark);
    return place < 0 ? undefined : place + mark.length;
  };
  return (start) => {
    if (text.startsWith("<!--", start)) return behind("-->", start + 2);
    if (text.startsWith("<![CDATA[", start)) return behind("]]>", start);
    if (text.startsWith("<?", start)) return behind("?>", start);
    const isDeclaration = text.startsWith("<!", start) && /[a-z]/i.test(text[start + 2] ?? "");
    return isDeclaration ? behind(">", start) : undefined;
  };
}

/** All tags of a stretch of HTML, but none in comments, scripts or styles. */
export function* tagsOf(text: string): Generator<Tag> {
  const passedOver = passerOver(text);
  const lower = text.toLowerCase();
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at)) {
    const over = passedOver(at);
    if (over !== undefined) {
      at = over;
      continue;
    }
    if (text.startsWith("<!--", at)) return;
    const tag = tagAt(text, at);
    if (!tag) {
      at++;
      continue;
    }
    yield tag;
    at = tag.end;
    if (/^(script|style|textarea)$/.test(tag.name)) {
      const close = lower.indexOf(`</${tag.name}`, at);
      if (close < 0) return;
      at = close;
    }
  }
}

/** Where a tag leads: what a browser would load or open. */
export function* addressesIn({ attributes }: Tag): Generator<string> {
  for (const key of ["href", "src", "poster"]) {
    const address = attributes.get(key);
    if (address !== undefined) yield address.trim();
  }
  for (const choice of attributes.get("srcset")?.split(",") ?? []) {
    const address = choice.trim().split(/\s+/)[0];
    if (address) yield address;
  }
}

/** The names that a tag gives to its place. */
export function* idsIn({ name, attributes }: Tag): Generator<string> {
  const id = attributes.get("id");
  if (id) yield id;
  const old = name === "a" ? attributes.get("name") : undefined;
  if (old) yield old;
}
