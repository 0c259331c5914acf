import { decodeHtmlEntities } from "./unescape.ts";

export interface HtmlTag {
  /** Lower case; `/h1` for a closing tag. */
  name: string;
  attributes: ReadonlyMap<string, string>;
  start: number;
  end: number;
}

const openTag =
  /<([a-z][a-z0-9:.-]*)((?:\s+[a-z_:@{][\w.:@{}-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*)\s*\/?>/iy;
const closeTag = /<\/([a-z][a-z0-9:.-]*)\s*>/iy;
const attribute = /([a-z_:@][\w.:@-]*)(?:\s*=\s*([^\s"'=<>`]+|'[^']*'|"[^"]*"))?/gi;

/** The tag that starts at an offset, if any. */
export function htmlTagAt(text: string, start: number): HtmlTag | undefined {
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
    // Like browsers, use the first of two attributes with the same name.
    if (!attributes.has(key)) attributes.set(key, decodeHtmlEntities(plain));
  }
  return attributes;
}

/**
 * Finds the end of a comment, CDATA section, processing instruction or declaration; undefined if
 * none starts here. Remembers terminators that do not occur, to keep repeated searches linear.
 */
export function createCommentSkipper(text: string): (start: number) => number | undefined {
  const absent = new Set<string>();
  const endAfter = (terminator: string, from: number): number | undefined => {
    const index = absent.has(terminator) ? -1 : text.indexOf(terminator, from);
    if (index < 0) absent.add(terminator);
    return index < 0 ? undefined : index + terminator.length;
  };
  return (start) => {
    if (text.startsWith("<!--", start)) return endAfter("-->", start + 2);
    if (text.startsWith("<![CDATA[", start)) return endAfter("]]>", start);
    if (text.startsWith("<?", start)) return endAfter("?>", start);
    const isDeclaration = text.startsWith("<!", start) && /[a-z]/i.test(text[start + 2] ?? "");
    return isDeclaration ? endAfter(">", start) : undefined;
  };
}

/** All tags, except inside comments, scripts, styles and text areas. */
export function* findHtmlTags(text: string): Generator<HtmlTag> {
  const skipComment = createCommentSkipper(text);
  const lower = text.toLowerCase();
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at)) {
    const commentEnd = skipComment(at);
    if (commentEnd !== undefined) {
      at = commentEnd;
      continue;
    }
    if (text.startsWith("<!--", at)) return;
    const tag = htmlTagAt(text, at);
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

/** The URLs that a browser would load or open. */
export function* tagAddresses({ attributes }: HtmlTag): Generator<string> {
  for (const key of ["href", "src", "poster"]) {
    const address = attributes.get(key);
    if (address !== undefined) yield address.trim();
  }
  for (const choice of attributes.get("srcset")?.split(",") ?? []) {
    const address = choice.trim().split(/\s+/)[0];
    if (address) yield address;
  }
}

/** The anchors that a tag defines. */
export function* tagIds({ name, attributes }: HtmlTag): Generator<string> {
  const id = attributes.get("id");
  if (id) yield id;
  const legacyAnchor = name === "a" ? attributes.get("name") : undefined;
  if (legacyAnchor) yield legacyAnchor;
}
