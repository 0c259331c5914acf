import type { XmlElement } from "../../../../kernel/formats/containers/xml.ts";
import { readImportedColor } from "../colors.ts";
import type { CategoryContent, CodeContent } from "../content.ts";
import type { LossReport } from "../losses.ts";
import { childElements, elementAttribute, elementKey } from "./elements.ts";

/** What the codebook reader needs from the surrounding file. */
export interface CodebookReadContext {
  losses: LossReport;
  /** Returns a unique GUID for an element. */
  identify(element: XmlElement): string;
  memoOf(element: XmlElement): string;
  /** Whether the code has codings. */
  isUsed(key: string): boolean;
}

export interface RefiCodebook {
  categories: CategoryContent[];
  codes: CodeContent[];
  /** GUIDs of codes by reference key. */
  byKey: Map<string, string>;
}

/**
 * Codes that are not codable become categories. In a project the parent of a category is always a
 * category, so a category below a code moves to the category of that code.
 */
export function readRefiCodeElements(
  codes: XmlElement | undefined,
  context: CodebookReadContext,
): RefiCodebook {
  const { losses, identify, memoOf, isUsed } = context;
  const codebook: RefiCodebook = { categories: [], codes: [], byKey: new Map() };

  function read(element: XmlElement, category: string | null, parent: string | null): void {
    const name = elementAttribute(element, "name") ?? "";
    const key = elementKey(element);
    const guid = identify(element);
    const attributes = { guid, name, memo: memoOf(element) };
    const isCategory = /^(false|0)$/i.test(elementAttribute(element, "isCodable") ?? "");
    if (isCategory && !isUsed(key)) {
      if (parent !== null) {
        losses.add("changed", "Categories below a code, now beside it", name);
      }
      if (elementAttribute(element, "color")) losses.add("dropped", "Colors of categories", name);
      codebook.categories.push({ ...attributes, parent: category });
      for (const child of childElements(element, "Code")) read(child, guid, null);
      return;
    }
    if (isCategory) losses.add("changed", "Categories with codings, now codes", name);
    if (!codebook.byKey.has(key)) codebook.byKey.set(key, guid);
    const color = readImportedColor(elementAttribute(element, "color"), name, losses);
    codebook.codes.push({
      ...attributes,
      color,
      parent,
      category: parent === null ? category : null,
    });
    for (const child of childElements(element, "Code")) read(child, category, guid);
  }

  for (const code of childElements(codes, "Code")) read(code, null, null);
  return codebook;
}
