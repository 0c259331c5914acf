import type { SourceType } from "../mediapath.ts";

/**
 * What a project holds, as it travels between programs: without numbers of rows, every thing by a
 * GUID, and each position counted in code points. Whatever reads a format gives this, and whatever
 * writes one takes it.
 */
export interface Content {
  name: string;
  memo: string;
  /** Whose project it is; undefined where a format does not say. */
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
  /** The GUID of the category that it stands in. */
  parent: string | null;
}

export interface CodeContent extends CategoryContent {
  color: string | null;
  /** A code stands in a category, or below another code, which is then its parent. */
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

export interface AttributeValue {
  attribute: string;
  value: string;
}

/** Who made something, and when: local time as QualCoder writes it. */
export interface Made {
  owner: string | undefined;
  date: string | undefined;
}

export interface SourceContent extends Made {
  guid: string;
  name: string;
  memo: string;
  kind: SourceType;
  text: string | null;
  file: FileContent | null;
  folder: string | null;
  /** The source with the words of a recording. */
  transcript: string | null;
  passages: PassageContent[];
  annotations: AnnotationContent[];
  areas: AreaContent[];
  stretches: StretchContent[];
  values: AttributeValue[];
}

/** A source on which nothing was found yet. */
export const emptySource = () =>
  ({
    folder: null,
    transcript: null,
    passages: [],
    annotations: [],
    areas: [],
    stretches: [],
    values: [],
  }) satisfies Partial<SourceContent>;

/** A file that belongs to a source. */
export interface FileContent {
  name: string;
  /** A path on disk on the way out, the name of a part of the archive on the way in. */
  place: string | undefined;
}

/** A coding, in a text, in a picture or in a recording. */
interface CodingContent extends Made {
  guid: string;
  code: string;
  memo: string;
}

interface PassageContent extends CodingContent {
  start: number;
  end: number;
}

/** A rectangle of a picture, in pixels from its upper left corner. */
interface AreaContent extends CodingContent {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A stretch of a recording, in milliseconds. */
interface StretchContent extends CodingContent {
  begin: number;
  end: number;
}

interface AnnotationContent extends Made {
  guid: string;
  start: number;
  end: number;
  memo: string;
}

export interface CaseContent {
  guid: string;
  name: string;
  memo: string;
  /** Sources that belong to it as a whole. */
  sources: string[];
  passages: CasePassage[];
  values: AttributeValue[];
}

interface CasePassage {
  source: string;
  start: number;
  end: number;
}

/** A case has a passage once, however often it is named. */
export const onceEach = (passages: readonly CasePassage[]): CasePassage[] => [
  ...new Map(
    passages.map((passage) => [`${passage.source} ${passage.start} ${passage.end}`, passage]),
  ).values(),
];

export interface JournalContent extends Made {
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

/** What an answer tells of a project that came or went. */
export const countsOf = ({ sources, codes }: Content) => ({
  source_count: sources.length,
  code_count: codes.length,
  segment_count: sources.reduce(
    (sum, { passages, areas, stretches }) =>
      sum + passages.length + areas.length + stretches.length,
    0,
  ),
});
