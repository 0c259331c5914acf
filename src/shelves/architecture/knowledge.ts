import { statSync } from "node:fs";
import { join, posix } from "node:path";
import { Failure, invalid } from "../../kernel/failure.ts";
import type { House } from "../../kernel/house.ts";
import { parseRecord } from "../../text/decisions/record.ts";
import { decode } from "../../text/decoding.ts";
import { type ArchitectureDocument, categories, makeDocument, uriOf } from "./document.ts";
import type { DocumentSet } from "./document-set.ts";
import { type KeptFiles, openKeptFiles } from "./kept-files.ts";
import { makeRecordSet, type PlacedRecord, type RecordSet } from "./record-set.ts";
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
 * elsewhere. Those are called by their own names, and by their whole path where a name is taken.
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
      const name = below.slice(category.length + 1).replace(isEnding, "");
      return makeDocument({ category, name, file: path, text, bytes, modified });
    },
    onUnusable: (file, reason) => log("warn", "a document is left out", { file, reason }),
  });
  /** A record that was read anew is another object, so what it was made into need not be checked. */
  const elsewhere = new WeakMap<PlacedRecord, ArchitectureDocument>();
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
    const own = [...inside.values()];
    const set = joined(root, [...own, ...documentsElsewhere(own, outside)], outside?.named);
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

  function documentsElsewhere(
    inside: readonly ArchitectureDocument[],
    outside: RecordSet | undefined,
  ): ArchitectureDocument[] {
    const taken = new Set(inside.map(({ uri }) => uri));
    return (outside?.decisions ?? []).flatMap((record) => {
      if (record.file.startsWith(`${resources}/`)) return [];
      const isTaken = taken.has(uriOf("adr", record.name.stem));
      const name = isTaken ? record.file.replace(isEnding, "") : record.name.stem;
      const document = documentOf(record, name);
      if (document) taken.add(document.uri);
      return document ?? [];
    });
  }

  function documentOf(record: PlacedRecord, name: string): ArchitectureDocument | undefined {
    const before = elsewhere.get(record);
    if (before?.name === name) return before;
    try {
      const path = join(root, record.file);
      const modified = statSync(path).mtime;
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

const isEnding = /\.(md|markdown)$/i;

function joined(
  root: string,
  documents: readonly ArchitectureDocument[],
  named: string | undefined,
): DocumentSet {
  const all = [...documents].sort(inOrder);
  const placed = all.filter(({ category }) => category === "adr").map(placedRecord);
  const folders = [...new Set(placed.map(({ folder }) => folder))];
  const records = makeRecordSet({ root, folders, named, records: placed, unreadable: [] });
  return { all, records };
}

function inOrder(a: ArchitectureDocument, b: ArchitectureDocument): number {
  const byKind = categories.indexOf(a.category) - categories.indexOf(b.category);
  return byKind || (a.name < b.name ? -1 : 1);
}

function placedRecord({ file, text }: ArchitectureDocument): PlacedRecord {
  const folder = posix.dirname(file);
  return { ...parseRecord(text, file), file, folder: folder === "." ? "" : folder };
}
