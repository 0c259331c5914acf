import { accessSync, constants, lstatSync } from "node:fs";
import { join } from "node:path";
import type { ConversionCache } from "../documents/conversion-cache.ts";
import type { FileSnapshot } from "../documents/document-rows.ts";
import type { Root } from "../documents/documents.ts";
import { Failure } from "../failure.ts";
import { sha256Hex } from "../files/hashes.ts";
import type { DocumentReader } from "../formats/document-reader.ts";
import type { Boundary } from "../paths/boundary.ts";
import type { Steps } from "../storage/steps.ts";
import type { Store } from "../storage/store.ts";
import { type FoundFile, isNotFoundError } from "./walk.ts";

/** The snapshot of a file, or the reason why it has no document. */
export type DocumentReadResult = FileSnapshot | UnreadableDocument;

interface UnreadableDocument {
  /** Absent if the file no longer exists. */
  reason?: string;
  /** Whether it may become readable; until then its document is kept. */
  isTemporary: boolean;
  /** Whether its content is the reason, so that it is not retried until it changes. */
  isContentBased?: boolean;
}

/** Larger files are skipped; indexing them would block other callers. */
const maxPlainBytes = 16 * 1024 * 1024;

/** Formats with images and fonts are large even with little text. */
const maxConvertedBytes = 4 * maxPlainBytes;

/** The services for reading files and converting those that are not plain text. */
export interface DocumentSources {
  boundary: Boundary;
  reader: DocumentReader;
  conversionCache: ConversionCache;
}

/** A file whose text another process extracts. */
interface PendingDocument {
  convert(store: Store): Promise<DocumentReadResult>;
}

export function* readDocument(
  { boundary, reader, conversionCache }: DocumentSources,
  root: Root,
  file: FoundFile,
  /** The last recording before the call. */
  asOf: number,
): Steps<DocumentReadResult | PendingDocument> {
  const path = join(root.path, file.path);
  const seen = Date.now();
  try {
    const isPlain = !reader.needsConversion(file.path);
    const { within } = root;
    const confined = within === undefined ? boundary : boundary.confinedTo(within);
    const bytes = confined.readFile(path, root.path, isPlain ? maxPlainBytes : maxConvertedBytes);
    const hash = sha256Hex(bytes);
    const withText = (text: string): DocumentReadResult => ({
      ...file,
      root: root.name,
      text,
      hash,
      size: bytes.length,
      seen,
      asOf,
    });
    const cached = isPlain ? undefined : yield* conversionCache.find(hash);
    if (cached) {
      return "text" in cached
        ? withText(cached.text)
        : { reason: cached.reason, isTemporary: false, isContentBased: true };
    }
    const text = reader.readSync(bytes, file.path);
    if (text !== undefined) {
      if (!isPlain) yield* conversionCache.store(hash, { text });
      return withText(text);
    }
    return {
      async convert(store) {
        const converted = await reader.read(bytes, file.path).then(
          (text) => ({ text }),
          (error) => toUnreadable(error, path),
        );
        if ("text" in converted) {
          await store.run(conversionCache.store(hash, converted));
          return withText(converted.text);
        }
        const { reason, isTemporary } = converted;
        if (!isTemporary && reason) await store.run(conversionCache.store(hash, { reason }));
        return converted;
      },
    };
  } catch (error) {
    return toUnreadable(error, path);
  }
}

function toUnreadable(error: unknown, path: string): UnreadableDocument {
  if (!(error instanceof Failure)) return { reason: "it cannot be read", isTemporary: true };
  if (isUnreachable(path)) return { reason: "it cannot be read", isTemporary: true };
  if (error.kind === "not-found") return { isTemporary: false };
  const isTemporary = isTransientFailure(error, path);
  const isContentBased = !isTemporary && error.kind !== "forbidden";
  return { reason: error.message, isTemporary, isContentBased };
}

/** Whether the path cannot be checked at all, as on a disconnected mount. */
function isUnreachable(path: string): boolean {
  try {
    lstatSync(path);
    return false;
  } catch (error) {
    return !isNotFoundError(error);
  }
}

/** Whether the file may be readable later: it is being written, or a resource is exhausted. */
function isTransientFailure({ kind, code }: Failure, path: string): boolean {
  if (kind === "unavailable") return true;
  if (code !== "no-permission") return false;
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
