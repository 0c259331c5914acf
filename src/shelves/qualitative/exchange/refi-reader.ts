import type { XmlElement } from "../../../kernel/formats/xml.ts";
import type { SearchBudget } from "./anchoring.ts";
import type { AttributeValue, Made } from "./content.ts";
import type { Losses } from "./losses.ts";
import type { CodeBook } from "./refi-codebook.ts";
import type { NoteShelf } from "./refi-notes.ts";
import type { RefiParts } from "./refi-parts.ts";

/** What the readers of the parts of a project share. */
export interface RefiReader extends RefiParts {
  losses: Losses;
  notes: NoteShelf;
  codes: CodeBook["byKey"];
  budget: SearchBudget;
  /** The GUID under which a thing shall be known from now on; each is given once. */
  identify(element: XmlElement): string;
  /** Its description, and the notes about it. */
  memoOf(element: XmlElement): string;
  /** Who made it, by the first of the elements that says so. */
  madeBy(...elements: readonly XmlElement[]): Made;
  valuesOf(element: XmlElement): AttributeValue[];
}
