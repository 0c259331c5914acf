import { countInvalidXmlChars, escapeXml } from "../../../../text/formats/xml-escape.ts";

/** Writes XML as strings and escapes text and attribute values. */
export interface XmlWriter {
  /** Attributes with an undefined value are left out. */
  element(name: string, attributes: Attributes, children?: readonly string[]): string;
  /** An element with text content only; an empty list for an empty text. */
  textElement(name: string, text: string): string[];
  /** The number of characters that XML cannot represent, replaced by U+FFFD. */
  readonly replaced: number;
}

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

export function createXmlWriter(): XmlWriter {
  let replaced = 0;

  /**
   * Line ends and tabs become character references: XML parsers normalize them to spaces in
   * attributes.
   */
  const escapeText = (text: string): string => {
    replaced += countInvalidXmlChars(text);
    return escapeXml(text).replace(/[\t\n]/g, (letter) => `&#${letter.charCodeAt(0)};`);
  };

  return {
    element(name, attributes, children = []) {
      const defined = Object.entries(attributes)
        .filter(([, value]) => value !== undefined)
        .map(([key, value]) => ` ${key}="${escapeText(String(value))}"`);
      const opening = `<${name}${defined.join("")}`;
      return children.length === 0 ? `${opening}/>` : `${opening}>${children.join("\n")}</${name}>`;
    },
    textElement: (name, text) => (text === "" ? [] : [`<${name}>${escapeText(text)}</${name}>`]),
    get replaced() {
      return replaced;
    },
  };
}
