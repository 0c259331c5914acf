import { SaxesParser } from "saxes";
import { damaged, unreadable } from "./unreadable.ts";

/** An element with its names written as `prefix:name`, whatever prefixes the file itself uses. */
export interface XmlElement {
  name: string;
  attributes: Map<string, string>;
  children: (XmlElement | string)[];
}

/** Names of namespaces outside of this list keep no prefix, and nobody asks for them. */
const prefixes = new Map([
  ["urn:oasis:names:tc:opendocument:xmlns:office:1.0", "office:"],
  ["urn:oasis:names:tc:opendocument:xmlns:style:1.0", "style:"],
  ["urn:oasis:names:tc:opendocument:xmlns:text:1.0", "text:"],
  ["urn:oasis:names:tc:opendocument:xmlns:table:1.0", "table:"],
  ["urn:oasis:names:tc:opendocument:xmlns:drawing:1.0", "draw:"],
  ["urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0", "svg:"],
  ["urn:oasis:names:tc:opendocument:xmlns:manifest:1.0", "manifest:"],
  ["http://www.w3.org/1999/xlink", "xlink:"],
  ["http://purl.org/dc/elements/1.1/", "dc:"],
  ["http://www.idpf.org/2007/opf", "opf:"],
]);

/** Whoever walks the tree calls itself for each level. */
const deepest = 500;

/**
 * The tree of an XML text. A document type is skipped unread, so there are no entities but the five
 * of XML itself; one that a file defines is an error, as is everything else that is not well-formed.
 * Whoever reads outside of the converters' process says how many elements and attributes it can bear.
 */
export function readXml(text: string, { most = Number.POSITIVE_INFINITY } = {}): XmlElement {
  const top: XmlElement = { name: "", attributes: new Map(), children: [] };
  const open = [top];
  let left = most;
  const parser = new SaxesParser({ xmlns: true });
  parser.on("error", (error) => {
    throw damaged(error);
  });
  parser.on("opentag", ({ uri, local, attributes }) => {
    if (open.length > deepest) throw unreadable("it is nested too deeply");
    if (left < 0) throw unreadable("it holds too many elements");
    const element: XmlElement = { name: named(uri, local), attributes: new Map(), children: [] };
    for (const { uri, local, value } of Object.values(attributes)) {
      element.attributes.set(named(uri, local), value);
    }
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on("opentagstart", () => {
    left -= 1;
  });
  parser.on("attribute", () => {
    if (left-- < 0) throw unreadable("it holds too many elements");
  });
  parser.on("closetag", () => open.pop());
  parser.on("text", (words) => open.at(-1)?.children.push(words));
  parser.on("cdata", (words) => open.at(-1)?.children.push(words));
  parser.write(text).close();
  return top;
}

const named = (uri: string, local: string): string => (prefixes.get(uri) ?? "") + local;

/** All elements of a name below an element, in the order of the text. */
export function* elementsNamed(element: XmlElement, name: string): Generator<XmlElement> {
  for (const child of element.children) {
    if (typeof child === "string") continue;
    if (child.name === name) yield child;
    yield* elementsNamed(child, name);
  }
}

export function wordsOf(element: XmlElement | undefined): string {
  const words = element?.children.map((child) =>
    typeof child === "string" ? child : wordsOf(child),
  );
  return (words ?? []).join("").replace(/\s+/g, " ").trim();
}
