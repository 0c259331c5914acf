import type { SourceType } from "../sources/media-path.ts";

/**
 * The content of a project in a form common to all formats: items have GUIDs instead of row ids,
 * and positions are code points. Readers of formats produce it, and writers consume it.
 */
export interface Content {
  name: string;
  memo: string;
  /** The owner of the project; undefined if the format has none. */
  coder: string | undefined;
  coders: CoderContent[];
  categories: CategoryContent[];
  codes: CodeContent[];
  folders: FolderContent[];
  attributes: AttributeContent[];
  sources: SourceContent[];
  cases: CaseContent[];
  journals: JournalContent[];
}

export interface CoderContent {
  guid: string;
  name: string;
}

export interface CategoryContent {
  guid: string;
  name: string;
  memo: string;
  /** The GUID of the parent category. */
  parent: string | null;
}

export interface CodeContent extends CategoryContent {
  color: string | null;
  /** A code is in a category, or has a parent code. */
  category: string | null;
}

export interface FolderContent {
  guid: string;
  name: string;
  parent: string | null;
}

export interface AttributeContent {
  guid: string;
  name: string;
  memo: string;
  of: "case" | "file";
  type: "character" | "numeric";
}

export interface AttributeValueContent {
  attribute: string;
  value: string;
}

/** Owner and local time in QualCoder's format. */
export interface Authorship {
  owner: string | undefined;
  date: string | undefined;
}

export interface SourceContent extends Authorship {
  guid: string;
  name: string;
  memo: string;
  kind: SourceType;
  text: string | null;
  file: FileContent | null;
  folder: string | null;
  /** The GUID of the source with the transcript of a recording. */
  transcript: string | null;
  passages: PassageContent[];
  annotations: AnnotationContent[];
  areas: AreaContent[];
  mediaRanges: MediaRangeContent[];
  values: AttributeValueContent[];
}

/** The collections of a source, empty. */
export const emptySourceContent = () =>
  ({
    folder: null,
    transcript: null,
    passages: [],
    annotations: [],
    areas: [],
    mediaRanges: [],
    values: [],
  }) satisfies Partial<SourceContent>;

/** A file that belongs to a source. */
export interface FileContent {
  name: string;
  /** For an export, a path on disk; for an import, the name of an archive entry. */
  location: string | undefined;
}

/** A coding, in a text, in a picture or in a recording. */
interface CodingContent extends Authorship {
  guid: string;
  code: string;
  memo: string;
}

interface PassageContent extends CodingContent {
  start: number;
  end: number;
}

/** A rectangle in pixels from the upper left corner of a picture. */
interface AreaContent extends CodingContent {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A range of a recording in milliseconds. */
interface MediaRangeContent extends CodingContent {
  begin: number;
  end: number;
}

interface AnnotationContent extends Authorship {
  guid: string;
  start: number;
  end: number;
  memo: string;
}

export interface CaseContent {
  guid: string;
  name: string;
  memo: string;
  /** Sources linked as a whole. */
  sources: string[];
  passages: CasePassage[];
  values: AttributeValueContent[];
}

interface CasePassage {
  source: string;
  start: number;
  end: number;
}

/** Removes duplicate passages of a case. */
export const distinctCasePassages = (passages: readonly CasePassage[]): CasePassage[] => [
  ...new Map(
    passages.map((passage) => [`${passage.source} ${passage.start} ${passage.end}`, passage]),
  ).values(),
];

export interface JournalContent extends Authorship {
  guid: string;
  name: string;
  text: string;
}

export const emptyContent = (name: string): Content => ({
  name,
  memo: "",
  coder: undefined,
  coders: [],
  categories: [],
  codes: [],
  folders: [],
  attributes: [],
  sources: [],
  cases: [],
  journals: [],
});

/** The counts in the output of an import or export. */
export const contentCountsOf = ({ sources, codes }: Content) => ({
  source_count: sources.length,
  code_count: codes.length,
  segment_count: sources.reduce(
    (sum, { passages, areas, mediaRanges }) =>
      sum + passages.length + areas.length + mediaRanges.length,
    0,
  ),
});
