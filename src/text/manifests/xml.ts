/** An element, with the text before its first child or its end. */
export interface XmlElement {
  /** Local names from the root to this element. */
  path: string;
  text: string;
  attributes: string;
}

/** Deeper than any manifest. */
const maxDepth = 50;

/** All elements in document order. Entities are not resolved, so nothing is fetched. */
export function* readXmlElements(xml: string): Generator<XmlElement> {
  const open: string[] = [];
  for (let at = xml.indexOf("<"); at >= 0; ) {
    if (xml.startsWith("<!--", at)) {
      const end = xml.indexOf("-->", at);
      if (end < 0) return;
      at = xml.indexOf("<", end);
      continue;
    }
    const end = xml.indexOf(">", at);
    if (end < 0) return;
    const tag = xml.slice(at + 1, end);
    const next = xml.indexOf("<", end);
    if (tag.startsWith("/")) open.pop();
    else if (!tag.startsWith("?") && !tag.startsWith("!")) {
      const name = /^[\w:.-]+/.exec(tag)?.[0] ?? "";
      open.push(name.slice(name.indexOf(":") + 1));
      if (open.length > maxDepth) return;
      const text = xml.slice(end + 1, next < 0 ? undefined : next).trim();
      yield { path: open.join("/"), text, attributes: tag.slice(name.length) };
      if (tag.endsWith("/")) open.pop();
    }
    at = next;
  }
}

/** The value of an attribute. */
export const xmlAttribute = ({ attributes }: XmlElement, name: string): string | undefined =>
  attributes.length > 2_000
    ? undefined
    : new RegExp(`(?:^|\\s)${name}\\s*=\\s*["']([^"']*)["']`, "i").exec(attributes)?.[1];
