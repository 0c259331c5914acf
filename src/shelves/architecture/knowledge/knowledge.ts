import { join } from "node:path";
import { Failure, invalid } from "../../../kernel/failure.ts";
import { statOrUndefined } from "../../../kernel/paths/file-stat.ts";
import type { Runtime } from "../../../kernel/runtime/runtime.ts";
import { decodeText } from "../../../text/formats/text-decoder.ts";
import {
  createRecordSet,
  type PlacedRecord,
  parsePlacedRecord,
  type RecordSet,
} from "../decisions/record-set.ts";
import { maxRecordBytes, type RecordStore } from "../decisions/record-store.ts";
import { type FileCache, openFileCache } from "../file-cache.ts";
import {
  type ArchitectureDocument,
  architectureUri,
  createDocument,
  type DocumentCategory,
  documentCategories,
} from "./document.ts";
import type { DocumentSet } from "./document-set.ts";

/** The architecture documents, re-read when their files change. */
export interface KnowledgeBase {
  read(): Promise<DocumentSet>;
  /**
   * A cheaper read for polling: folders outside `mcp/resources` are scanned only if they held
   * decisions before.
   */
  poll(): Promise<DocumentSet>;
  /** Whether the file of a document is one of a private source now. */
  isHidden(document: ArchitectureDocument): boolean;
  close(): void;
}

const resourcesFolder = "mcp/resources";

const isMarkdown = (name: string): boolean => /\.md$/i.test(name);

/**
 * Guidelines, patterns and decisions below `mcp/resources`, and the project's decision records
 * elsewhere. On a name conflict the later document gets a longer name: with the extension, or the
 * full path.
 */
export function openKnowledgeBase(
  { boundary, log }: Pick<Runtime, "boundary" | "log">,
  root: string,
  records: () => RecordStore,
): KnowledgeBase {
  const files: FileCache<ArchitectureDocument> = openFileCache({
    root,
    boundary,
    baseFolder: resourcesFolder,
    folders: documentCategories.map((category) => `${resourcesFolder}/${category}`),
    isRecursive: true,
    isRelevant: isMarkdown,
    parse({ path, bytes, modified }) {
      const text = decodeText(bytes);
      if (text === undefined) throw invalid("The file is not text.");
      if (text.trim() === "") throw invalid("The file is empty.");
      const relativePath = path.slice(resourcesFolder.length + 1);
      const category = documentCategories.find((candidate) =>
        relativePath.startsWith(`${candidate}/`),
      );
      if (!category) return undefined;
      const name = relativePath.slice(category.length + 1).replace(markdownExtension, "");
      return createDocument({ category, name, file: path, text, bytes, modified });
    },
    onUnusable: (file, reason) => log("warn", "a document is skipped", { file, reason }),
  });
  /** Caches keyed by identity: a re-read file is a new object. */
  const outsideDocuments = new WeakMap<PlacedRecord, ArchitectureDocument>();
  const renamed = new WeakMap<ArchitectureDocument, ArchitectureDocument>();
  let lastRead: { inside: unknown; outside: RecordSet | undefined; set: DocumentSet } | undefined;

  return {
    isHidden: ({ file }) => boundary.isHidden(join(root, file)),
    read: () => readWith(readRecords),
    poll: () =>
      readWith(async () => {
        const outside = lastRead?.set.all.some(
          ({ file }) => !file.startsWith(`${resourcesFolder}/`),
        );
        return lastRead && !outside ? lastRead.outside : readRecords();
      }),
    close: () => files.close(),
  };

  async function readWith(readOutside: () => Promise<RecordSet | undefined>): Promise<DocumentSet> {
    const [inside, outside] = [await files.read(), await readOutside()];
    if (lastRead?.inside === inside && lastRead.outside === outside) return lastRead.set;
    const reserveName = createNameReservation();
    const insideDocuments = nameInsideDocuments([...inside.values()], reserveName);
    const set = buildDocumentSet(
      root,
      [...insideDocuments, ...readOutsideDocuments(outside, reserveName)],
      outside?.configuredFolder,
    );
    lastRead = { inside, outside, set };
    return set;
  }

  /** Broken decision records must not hide the other documents. */
  async function readRecords(): Promise<RecordSet | undefined> {
    try {
      return await records().read();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      log("debug", "decision records outside mcp/resources are skipped", { cause: error });
      return undefined;
    }
  }

  /** `a.md` takes the name `a` before `a.MD`, regardless of their order. */
  function nameInsideDocuments(
    documents: readonly ArchitectureDocument[],
    reserveName: ReserveName,
  ): ArchitectureDocument[] {
    const isPlain = ({ file }: ArchitectureDocument): boolean => file.endsWith(".md");
    return [
      ...documents.filter(isPlain),
      ...documents.filter((document) => !isPlain(document)),
    ].map((document) => {
      const { category, file } = document;
      const fullName = file.slice(`${resourcesFolder}/${category}/`.length);
      const name = reserveName(category, [document.name, fullName, file]);
      return name === document.name ? document : renameDocument(document, name);
    });
  }

  function renameDocument(document: ArchitectureDocument, name: string): ArchitectureDocument {
    const before = renamed.get(document);
    if (before?.name === name) return before;
    const renamedDocument = { ...document, name, uri: architectureUri(document.category, name) };
    renamed.set(document, renamedDocument);
    return renamedDocument;
  }

  function readOutsideDocuments(
    outside: RecordSet | undefined,
    reserveName: ReserveName,
  ): ArchitectureDocument[] {
    return (outside?.decisions ?? []).flatMap((record) => {
      const { file, name } = record;
      if (file.startsWith(`${resourcesFolder}/`)) return [];
      return (
        readDocument(
          record,
          reserveName("adr", [name.stem, file.replace(markdownExtension, ""), file]),
        ) ?? []
      );
    });
  }

  function readDocument(record: PlacedRecord, name: string): ArchitectureDocument | undefined {
    const before = outsideDocuments.get(record);
    if (before?.name === name) return before;
    try {
      const path = join(root, record.file);
      const modified = statOrUndefined(path)?.mtime ?? new Date(0);
      const bytes = boundary.readFile(path, root, maxRecordBytes);
      const text = decodeText(bytes) ?? "";
      const document = createDocument({
        category: "adr",
        name,
        file: record.file,
        text,
        bytes,
        modified,
      });
      outsideDocuments.set(record, document);
      return document;
    } catch (error) {
      // The file was just removed; the next read notices.
      if (error instanceof Failure || (error as NodeJS.ErrnoException).code) return undefined;
      throw error;
    }
  }
}

const markdownExtension = /\.(md|markdown)$/i;

/** Reserves and returns the first of some names that is unused in the category. */
type ReserveName = (category: DocumentCategory, names: readonly [string, ...string[]]) => string;

function createNameReservation(): ReserveName {
  const usedUris = new Set<string>();
  return (category, names) => {
    const freeName =
      names.find((name) => !usedUris.has(architectureUri(category, name))) ?? names[0];
    usedUris.add(architectureUri(category, freeName));
    return freeName;
  };
}

function buildDocumentSet(
  root: string,
  documents: readonly ArchitectureDocument[],
  configuredFolder: string | undefined,
): DocumentSet {
  const all = [...documents].sort(compareDocuments);
  const placed = all
    .filter(({ category }) => category === "adr")
    .map(({ file, text }) => parsePlacedRecord(file, text));
  const folders = [...new Set(placed.map(({ folder }) => folder))];
  const records = createRecordSet({
    root,
    folders,
    configuredFolder,
    records: placed,
    unreadable: [],
  });
  return { all, records };
}

function compareDocuments(a: ArchitectureDocument, b: ArchitectureDocument): number {
  const byKind = documentCategories.indexOf(a.category) - documentCategories.indexOf(b.category);
  return byKind || (a.name < b.name ? -1 : 1);
}
