import { inMarkup, unwritableIn } from "../../../text/markup.ts";

/** XML as it is written: elements are text, and what is written into them is escaped. */
export interface XmlWriter {
  /** Attributes without a value are left out. */
  element(name: string, attributes: Attributes, children?: readonly string[]): string;
  /** An element of nothing but words, each kept as it is; nothing where there are none. */
  words(name: string, words: string): string[];
  /** How many characters XML could not hold. */
  readonly replaced: number;
}

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

export function makeXmlWriter(): XmlWriter {
  let replaced = 0;

  /** Line ends and tabs are written as numbers, since a reader would make spaces of them. */
  const escaped = (text: string): string => {
    replaced += unwritableIn(text);
    return inMarkup(text).replace(/[\t\n]/g, (letter) => `&#${letter.charCodeAt(0)};`);
  };

  return {
    element(name, attributes, children = []) {
      const given = Object.entries(attributes)
        .filter(([, value]) => value !== undefined)
        .map(([key, value]) => ` ${key}="${escaped(String(value))}"`);
      const opening = `<${name}${given.join("")}`;
      return children.length === 0 ? `${opening}/>` : `${opening}>${children.join("\n")}</${name}>`;
    },
    words: (name, words) => (words === "" ? [] : [`<${name}>${escaped(words)}</${name}>`]),
    get replaced() {
      return replaced;
    },
  };
}
