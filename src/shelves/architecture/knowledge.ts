import { join } from "node:path";
import { Failure, invalid } from "../../kernel/failure.ts";
import type { House } from "../../kernel/house.ts";
import { statOf } from "../../kernel/path-kind.ts";
import { decode } from "../../text/decoding.ts";
import {
  type ArchitectureDocument,
  type Category,
  categories,
  makeDocument,
  uriOf,
} from "./document.ts";
import type { DocumentSet } from "./document-set.ts";
import { type KeptFiles, openKeptFiles } from "./kept-files.ts";
import { makeRecordSet, type PlacedRecord, placedRecord, type RecordSet } from "./record-set.ts";
import { longestRecord, type Records } from "./records-state.ts";

/** The documents about the architecture, read again where their files changed. */
export interface Knowledge {
  now(): Promise<DocumentSet>;
  /** The same for whoever looks often: decisions elsewhere are looked for only where some are. */
  glance(): Promise<DocumentSet>;
  close(): void;
}

const resources = "mcp/resources";

const isMarkdown = (name: string): boolean => /\.md$/i.test(name);

/**
 * Guidelines, patterns and decisions below `mcp/resources`, and the decisions that a project keeps
 * elsewhere. All are called by their own names, and by longer ones where a name is taken: with the
 * ending, or by the whole path.
 */
export function openKnowledge(house: House, root: string, records: () => Records): Knowledge {
  const { log, boundary } = house;
  const files: KeptFiles<ArchitectureDocument> = openKeptFiles({
    root,
    boundary,
    within: resources,
    folders: categories.map((category) => `${resources}/${category}`),
    deep: true,
    concerns: isMarkdown,
    read({ path, bytes, modified }) {
      const text = decode(bytes);
      if (text === undefined) throw invalid("It is no text.");
      if (text.trim() === "") throw invalid("It is empty.");
      const below = path.slice(resources.length + 1);
      const category = categories.find((known) => below.startsWith(`${known}/`));
      if (!category) return undefined;
      const name = below.slice(category.length + 1).replace(ending, "");
      return makeDocument({ category, name, file: path, text, bytes, modified });
    },
    onUnusable: (file, reason) => log("warn", "a document is left out", { file, reason }),
  });
  /** What was read anew is another object, so what it was made into need not be checked. */
  const elsewhere = new WeakMap<PlacedRecord, ArchitectureDocument>();
  const renamed = new WeakMap<ArchitectureDocument, ArchitectureDocument>();
  let known: { inside: unknown; outside: RecordSet | undefined; set: DocumentSet } | undefined;

  return {
    now: () => looked(recorded),
    glance: () =>
      looked(async () => {
        const outside = known?.set.all.some(({ file }) => !file.startsWith(`${resources}/`));
        return known && !outside ? known.outside : recorded();
      }),
    close: () => files.close(),
  };

  async function looked(lookElsewhere: () => Promise<RecordSet | undefined>): Promise<DocumentSet> {
    const [inside, outside] = [await files.now(), await lookElsewhere()];
    if (known?.inside === inside && known.outside === outside) return known.set;
    const free = freeNames();
    const own = documentsInside([...inside.values()], free);
    const set = joined(root, [...own, ...documentsElsewhere(outside, free)], outside?.named);
    known = { inside, outside, set };
    return set;
  }

  /** What is wrong with a project's own records must not cost it the rest. */
  async function recorded(): Promise<RecordSet | undefined> {
    try {
      return await records().now();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      log("debug", "decisions elsewhere are left out", { cause: error });
      return undefined;
    }
  }

  /** `a.md` beside `a.MD` is `a`, whichever of them comes first. */
  function documentsInside(
    documents: readonly ArchitectureDocument[],
    free: FreeName,
  ): ArchitectureDocument[] {
    const isPlain = ({ file }: ArchitectureDocument): boolean => file.endsWith(".md");
    return [...documents.filter(isPlain), ...documents.filter((one) => !isPlain(one))].map(
      (document) => {
        const { category, file } = document;
        const whole = file.slice(`${resources}/${category}/`.length);
        const name = free(category, [document.name, whole, file]);
        return name === document.name ? document : called(document, name);
      },
    );
  }

  function called(document: ArchitectureDocument, name: string): ArchitectureDocument {
    const before = renamed.get(document);
    if (before?.name === name) return before;
    const other = { ...document, name, uri: uriOf(document.category, name) };
    renamed.set(document, other);
    return other;
  }

  function documentsElsewhere(
    outside: RecordSet | undefined,
    free: FreeName,
  ): ArchitectureDocument[] {
    return (outside?.decisions ?? []).flatMap((record) => {
      const { file, name } = record;
      if (file.startsWith(`${resources}/`)) return [];
      return documentOf(record, free("adr", [name.stem, file.replace(ending, ""), file])) ?? [];
    });
  }

  function documentOf(record: PlacedRecord, name: string): ArchitectureDocument | undefined {
    const before = elsewhere.get(record);
    if (before?.name === name) return before;
    try {
      const path = join(root, record.file);
      const modified = statOf(path)?.mtime ?? new Date(0);
      const bytes = boundary.readFile(path, root, longestRecord);
      const text = decode(bytes) ?? "";
      const document = makeDocument({
        category: "adr",
        name,
        file: record.file,
        text,
        bytes,
        modified,
      });
      elsewhere.set(record, document);
      return document;
    } catch (error) {
      // It went a moment ago; the next look knows.
      if (error instanceof Failure || (error as NodeJS.ErrnoException).code) return undefined;
      throw error;
    }
  }
}

const ending = /\.(md|markdown)$/i;

/** The first of some names that no document of the kind has; from then on it is taken. */
type FreeName = (category: Category, names: readonly [string, ...string[]]) => string;

function freeNames(): FreeName {
  const taken = new Set<string>();
  return (category, names) => {
    const free = names.find((name) => !taken.has(uriOf(category, name))) ?? names[0];
    taken.add(uriOf(category, free));
    return free;
  };
}

function joined(
  root: string,
  documents: readonly ArchitectureDocument[],
  named: string | undefined,
): DocumentSet {
  const all = [...documents].sort(inOrder);
  const placed = all
    .filter(({ category }) => category === "adr")
    .map(({ file, text }) => placedRecord(file, text));
  const folders = [...new Set(placed.map(({ folder }) => folder))];
  const records = makeRecordSet({ root, folders, named, records: placed, unreadable: [] });
  return { all, records };
}

function inOrder(a: ArchitectureDocument, b: ArchitectureDocument): number {
  const byKind = categories.indexOf(a.category) - categories.indexOf(b.category);
  return byKind || (a.name < b.name ? -1 : 1);
}
