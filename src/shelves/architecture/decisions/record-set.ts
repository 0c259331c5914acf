import { posix } from "node:path";
import { groupBy } from "../../../text/arrays/group-by.ts";
import { type DecisionRecord, parseRecord } from "../../../text/decisions/record.ts";
import type { RecordLink } from "../../../text/decisions/record-links.ts";

/** A record with its path. */
export interface PlacedRecord extends DecisionRecord {
  /** Relative to the root, with forward slashes. */
  file: string;
  /** The folder that contains it; `""` is the root. */
  folder: string;
}

/** Parses the text of a record file. */
export function parsePlacedRecord(file: string, text: string): PlacedRecord {
  const folder = posix.dirname(file);
  return { ...parseRecord(text, file), file, folder: folder === "." ? "" : folder };
}

/** A link of a record with its target record, if there is one. */
export interface ResolvedLink extends RecordLink {
  target: PlacedRecord | undefined;
}

/** One decision supersedes another. */
interface Supersession {
  older: PlacedRecord;
  newer: PlacedRecord;
  partial: boolean;
  /** Which of the two records states it. */
  statedBy: { older: boolean; newer: boolean };
}

/** A snapshot of a project's records and their relations. */
export interface RecordSet {
  root: string;
  folders: readonly string[];
  /** The folder that the project configures for its records. */
  configuredFolder: string | undefined;
  /** Every record file, including templates and index pages. */
  all: readonly PlacedRecord[];
  /** The decisions, sorted by folder, number and file. */
  decisions: readonly PlacedRecord[];
  /** The paths of all files. */
  files: ReadonlySet<string>;
  /** Files that could not be read as text. */
  unreadable: readonly string[];
  linksOf(record: PlacedRecord): readonly ResolvedLink[];
  supersessions: readonly Supersession[];
  /** The supersessions of a record by newer ones, stated on either side. */
  supersededBy(record: PlacedRecord): readonly Supersession[];
  supersedes(record: PlacedRecord): readonly Supersession[];
  /** The decisions in force that superseded a record; the record itself if there are none. */
  findInForce(record: PlacedRecord): PlacedRecord[];
}

export interface RecordFiles {
  root: string;
  folders: readonly string[];
  configuredFolder: string | undefined;
  records: readonly PlacedRecord[];
  unreadable: readonly string[];
}

export function createRecordSet({
  root,
  folders,
  configuredFolder,
  records,
  unreadable,
}: RecordFiles): RecordSet {
  const all = [...records].sort(compareRecords);
  const decisions = all.filter(({ kind }) => kind === "adr");
  const resolve = createLinkResolver(decisions);
  const links = new Map(
    decisions.map((record) => [
      record,
      record.links.map((link) => ({ ...link, target: resolve(record, link) })),
    ]),
  );
  const supersessions = collectSupersessions(links);
  const older = groupBy(supersessions, (supersession) => supersession.newer);
  const newer = groupBy(supersessions, (supersession) => supersession.older);
  const supersededBy = (record: PlacedRecord) => newer.get(record) ?? [];
  return {
    root,
    folders,
    configuredFolder,
    all,
    decisions,
    files: new Set(all.map(({ file }) => file)),
    unreadable,
    supersessions,
    linksOf: (record) => links.get(record) ?? [],
    supersededBy,
    supersedes: (record) => older.get(record) ?? [],
    findInForce: (record) => collectInForce(record, supersededBy),
  };
}

function compareRecords(a: PlacedRecord, b: PlacedRecord): number {
  if (a.folder !== b.folder) return a.folder < b.folder ? -1 : 1;
  const last = Number.MAX_SAFE_INTEGER;
  return (a.number ?? last) - (b.number ?? last) || (a.file < b.file ? -1 : 1);
}

/** Links are matched against the known records: no path is opened because a record names it. */
function createLinkResolver(decisions: readonly PlacedRecord[]) {
  const byFile = new Map(decisions.map((record) => [record.file, record]));
  const byName = groupBy(decisions, ({ folder, name }) => `${folder}\n${name.stem.toLowerCase()}`);
  const byNumber = groupBy(decisions, ({ folder, number }) => `${folder}\n${number}`);
  const onlyMatch = (found: readonly PlacedRecord[] = []) =>
    found.length === 1 ? found[0] : undefined;

  return ({ folder }: PlacedRecord, { href, text }: RecordLink): PlacedRecord | undefined => {
    if (href !== null) {
      const path = linkPathOf(href);
      if (/^https?:/i.test(href)) return onlyMatch(byName.get(`${folder}\n${stemOf(path)}`));
      return byFile.get(resolveLinkPath(folder, path));
    }
    const number = /^(?:adr[-\s#]*|#)?(\d{1,9})$/i.exec(text)?.[1];
    if (number !== undefined)
      return onlyMatch(byNumber.get(`${folder}\n${Number.parseInt(number, 10)}`));
    return (
      byFile.get(resolveLinkPath(folder, text)) ??
      onlyMatch(byName.get(`${folder}\n${stemOf(text)}`))
    );
  };
}

const stemOf = (path: string): string =>
  posix
    .basename(path)
    .replace(/\.(md|markdown)$/i, "")
    .toLowerCase();

/** The decoded path of an href, without query and fragment. */
export function linkPathOf(href: string): string {
  const path = href.replace(/[?#].*$/, "");
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** A leading slash means the root. */
export const resolveLinkPath = (folder: string, path: string): string =>
  path.startsWith("/") ? posix.normalize(path.slice(1)) : posix.join(folder, path);

function collectSupersessions(
  links: ReadonlyMap<PlacedRecord, readonly ResolvedLink[]>,
): Supersession[] {
  const supersessions = new Map<string, Supersession>();
  for (const [record, ownLinks] of links) {
    for (const { relation, target, partial } of ownLinks) {
      if (!target || target === record) continue;
      if (relation !== "supersedes" && relation !== "superseded by") continue;
      const isNewer = relation === "supersedes";
      const [older, newer] = isNewer ? [target, record] : [record, target];
      const key = `${older.file}\n${newer.file}`;
      const supersession = supersessions.get(key) ?? {
        older,
        newer,
        partial,
        statedBy: { older: false, newer: false },
      };
      supersession.partial &&= partial;
      supersession.statedBy[isNewer ? "newer" : "older"] = true;
      supersessions.set(key, supersession);
    }
  }
  return [...supersessions.values()];
}

/**
 * Follows complete supersessions to their ends: a partially superseded decision stays in force.
 * Cycles end where they close.
 */
function collectInForce(
  record: PlacedRecord,
  supersededBy: (record: PlacedRecord) => readonly Supersession[],
): PlacedRecord[] {
  const seen = new Set([record]);
  const inForce: PlacedRecord[] = [];
  const pending = [record];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const newer = supersededBy(next).filter(({ partial }) => !partial);
    if (newer.length === 0) inForce.push(next);
    for (const { newer: successor } of newer) {
      if (seen.has(successor)) continue;
      seen.add(successor);
      pending.push(successor);
    }
  }
  return inForce;
}
