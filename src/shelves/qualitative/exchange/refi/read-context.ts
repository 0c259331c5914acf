import type { XmlElement } from "../../../../kernel/formats/containers/xml.ts";
import type { AttributeValueContent, Authorship } from "../content.ts";
import type { LossReport } from "../losses.ts";
import type { SearchBudget } from "../passage-anchors.ts";
import type { RefiArchiveFiles } from "./archive-files.ts";
import type { RefiCodebook } from "./codebook-reader.ts";
import type { RefiNotes } from "./notes.ts";

/** Shared by the readers of the parts of a project. */
export interface RefiReadContext extends RefiArchiveFiles {
  losses: LossReport;
  notes: RefiNotes;
  codes: RefiCodebook["byKey"];
  budget: SearchBudget;
  /** Returns a unique GUID for an element. */
  identify(element: XmlElement): string;
  /** The element's description and the notes about it. */
  memoOf(element: XmlElement): string;
  /** The authorship from the first element that has it. */
  authorshipOf(...elements: readonly XmlElement[]): Authorship;
  valuesOf(element: XmlElement): AttributeValueContent[];
}
