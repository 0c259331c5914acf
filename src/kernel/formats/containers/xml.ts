import { SaxesParser } from "saxes";
import { damagedFile, unreadableFile } from "../file-errors.ts";

/** An element. Names have the prefixes below, regardless of those in the file: `text:p`. */
export interface XmlElement {
  name: string;
  attributes: Map<string, string>;
  children: (XmlElement | string)[];
}

/** Names in other namespaces have no prefix. */
const namespacePrefixes = new Map([
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

/** Limits the recursion of functions that walk the tree. */
const maxDepth = 500;

/**
 * Parses XML. The DOCTYPE is ignored, so only the five predefined entities exist; any other entity
 * is an error, like everything that is not well-formed. `maxNodes` limits the number of elements
 * and attributes; set it when parsing outside the converter process.
 */
export function parseXml(text: string, { maxNodes = Number.POSITIVE_INFINITY } = {}): XmlElement {
  const top: XmlElement = { name: "", attributes: new Map(), children: [] };
  const open = [top];
  let remaining = maxNodes;
  const parser = new SaxesParser({ xmlns: true });
  parser.on("error", (error) => {
    throw damagedFile(error);
  });
  parser.on("opentag", ({ uri, local, attributes }) => {
    if (open.length > maxDepth) throw unreadableFile("it is nested too deeply");
    if (remaining < 0) throw unreadableFile("it contains too many elements");
    const element: XmlElement = {
      name: qualifiedName(uri, local),
      attributes: new Map(),
      children: [],
    };
    for (const { uri, local, value } of Object.values(attributes)) {
      element.attributes.set(qualifiedName(uri, local), value);
    }
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on("opentagstart", () => {
    remaining -= 1;
  });
  parser.on("attribute", () => {
    if (remaining-- < 0) throw unreadableFile("it contains too many elements");
  });
  parser.on("closetag", () => open.pop());
  parser.on("text", (text) => open.at(-1)?.children.push(text));
  parser.on("cdata", (text) => open.at(-1)?.children.push(text));
  parser.write(text).close();
  return top;
}

const qualifiedName = (uri: string, local: string): string =>
  (namespacePrefixes.get(uri) ?? "") + local;

/** All descendants with a name, in document order. */
export function* findElements(element: XmlElement, name: string): Generator<XmlElement> {
  for (const child of element.children) {
    if (typeof child === "string") continue;
    if (child.name === name) yield child;
    yield* findElements(child, name);
  }
}

export function elementText(element: XmlElement | undefined): string {
  const texts = element?.children.map((child) =>
    typeof child === "string" ? child : elementText(child),
  );
  return (texts ?? []).join("").replace(/\s+/g, " ").trim();
}
