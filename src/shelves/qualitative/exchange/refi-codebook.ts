import type { XmlElement } from "../../../kernel/formats/xml.ts";
import { keptColor } from "./colors.ts";
import type { CategoryContent, CodeContent } from "./content.ts";
import type { Losses } from "./losses.ts";
import { attributeOf, childrenOf, keyIn } from "./refi-elements.ts";

/** What reading a code book needs of the file that it stands in. */
export interface CodeBookReading {
  losses: Losses;
  /** The GUID under which a thing shall be known from now on. */
  identify(element: XmlElement): string;
  memoOf(element: XmlElement): string;
  /** Whether something is coded with this code. */
  isUsed(key: string): boolean;
}

export interface CodeBook {
  categories: CategoryContent[];
  codes: CodeContent[];
  /** The GUIDs of codes by what others refer to them by. */
  byKey: Map<string, string>;
}

/**
 * Codes with which nothing can be coded are our categories. A category stands in categories only,
 * so one that stood below a code is put into the category of that code.
 */
export function readCodeBook(codes: XmlElement | undefined, reading: CodeBookReading): CodeBook {
  const { losses, identify, memoOf, isUsed } = reading;
  const book: CodeBook = { categories: [], codes: [], byKey: new Map() };

  function read(element: XmlElement, category: string | null, parent: string | null): void {
    const name = attributeOf(element, "name") ?? "";
    const key = keyIn(element);
    const guid = identify(element);
    const about = { guid, name, memo: memoOf(element) };
    const isCategory = /^(false|0)$/i.test(attributeOf(element, "isCodable") ?? "");
    if (isCategory && !isUsed(key)) {
      if (parent !== null) {
        losses.add("changed", "Categories that stood below a code, now beside it", name);
      }
      if (attributeOf(element, "color")) losses.add("dropped", "Colors of categories", name);
      book.categories.push({ ...about, parent: category });
      for (const child of childrenOf(element, "Code")) read(child, guid, null);
      return;
    }
    if (isCategory)
      losses.add("changed", "Categories that something is coded with, now codes", name);
    if (!book.byKey.has(key)) book.byKey.set(key, guid);
    const color = keptColor(attributeOf(element, "color"), name, losses);
    book.codes.push({ ...about, color, parent, category: parent === null ? category : null });
    for (const child of childrenOf(element, "Code")) read(child, category, guid);
  }

  for (const code of childrenOf(codes, "Code")) read(code, null, null);
  return book;
}
