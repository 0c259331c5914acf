import { posix } from "node:path";
import type { RecordLink } from "../../text/decisions/link.ts";
import { type DecisionRecord, parseRecord } from "../../text/decisions/record.ts";
import { groupedBy } from "../../text/grouped.ts";

/** A record in its place. */
export interface PlacedRecord extends DecisionRecord {
  /** Relative to the root, with forward slashes. */
  file: string;
  /** The folder it lies in; `""` is the root. */
  folder: string;
}

/** A text as the record that it is in its place. */
export function placedRecord(file: string, text: string): PlacedRecord {
  const folder = posix.dirname(file);
  return { ...parseRecord(text, file), file, folder: folder === "." ? "" : folder };
}

/** A link of a record, and the record it leads to, where there is one. */
export interface ResolvedLink extends RecordLink {
  target: PlacedRecord | undefined;
}

/** That one decision takes the place of another. */
interface Succession {
  older: PlacedRecord;
  newer: PlacedRecord;
  partial: boolean;
  /** Which of the two says so. */
  saidBy: { older: boolean; newer: boolean };
}

/** The records of a project as they are now, with what ties them to one another. */
export interface RecordSet {
  root: string;
  folders: readonly string[];
  /** The folder that the project names for its records. */
  named: string | undefined;
  /** Everything in the folders, templates and pages about the records too. */
  all: readonly PlacedRecord[];
  /** The decisions among them, folder by folder in the order of their numbers and dates. */
  decisions: readonly PlacedRecord[];
  /** The paths of them all. */
  files: ReadonlySet<string>;
  /** Files that could not be read as text. */
  unreadable: readonly string[];
  linksOf(record: PlacedRecord): readonly ResolvedLink[];
  successions: readonly Succession[];
  /** What a record supersedes, whichever side says so. */
  supersededBy(record: PlacedRecord): readonly Succession[];
  supersedes(record: PlacedRecord): readonly Succession[];
  /** The decisions that hold now in the place of one that was superseded; itself where none was. */
  living(record: PlacedRecord): PlacedRecord[];
}

export interface RecordFiles {
  root: string;
  folders: readonly string[];
  named: string | undefined;
  records: readonly PlacedRecord[];
  unreadable: readonly string[];
}

export function makeRecordSet({
  root,
  folders,
  named,
  records,
  unreadable,
}: RecordFiles): RecordSet {
  const all = [...records].sort(byPlace);
  const decisions = all.filter(({ kind }) => kind === "adr");
  const resolve = makeResolver(decisions);
  const links = new Map(
    decisions.map((record) => [
      record,
      record.links.map((link) => ({ ...link, target: resolve(record, link) })),
    ]),
  );
  const successions = successionsIn(links);
  const older = groupedBy(successions, (one) => one.newer);
  const newer = groupedBy(successions, (one) => one.older);
  const supersededBy = (record: PlacedRecord) => newer.get(record) ?? [];
  return {
    root,
    folders,
    named,
    all,
    decisions,
    files: new Set(all.map(({ file }) => file)),
    unreadable,
    successions,
    linksOf: (record) => links.get(record) ?? [],
    supersededBy,
    supersedes: (record) => older.get(record) ?? [],
    living: (record) => livingFrom(record, supersededBy),
  };
}

function byPlace(a: PlacedRecord, b: PlacedRecord): number {
  if (a.folder !== b.folder) return a.folder < b.folder ? -1 : 1;
  const last = Number.MAX_SAFE_INTEGER;
  return (a.number ?? last) - (b.number ?? last) || (a.file < b.file ? -1 : 1);
}

/** Links are compared with what was found: no path is opened because a record names it. */
function makeResolver(decisions: readonly PlacedRecord[]) {
  const byFile = new Map(decisions.map((record) => [record.file, record]));
  const byName = groupedBy(
    decisions,
    ({ folder, name }) => `${folder}\n${name.stem.toLowerCase()}`,
  );
  const byNumber = groupedBy(decisions, ({ folder, number }) => `${folder}\n${number}`);
  const only = (found: readonly PlacedRecord[] = []) => (found.length === 1 ? found[0] : undefined);

  return ({ folder }: PlacedRecord, { href, text }: RecordLink): PlacedRecord | undefined => {
    if (href !== null) {
      const path = pathOf(href);
      if (/^https?:/i.test(href)) return only(byName.get(`${folder}\n${stemOf(path)}`));
      return byFile.get(inFolder(folder, path));
    }
    const number = /^(?:adr[-\s#]*|#)?(\d{1,9})$/i.exec(text)?.[1];
    if (number !== undefined)
      return only(byNumber.get(`${folder}\n${Number.parseInt(number, 10)}`));
    return byFile.get(inFolder(folder, text)) ?? only(byName.get(`${folder}\n${stemOf(text)}`));
  };
}

const stemOf = (path: string): string =>
  posix
    .basename(path)
    .replace(/\.(md|markdown)$/i, "")
    .toLowerCase();

/** Without what follows the path, and without the signs that addresses need. */
export function pathOf(href: string): string {
  const path = href.replace(/[?#].*$/, "");
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** A path that begins with a slash starts at the root. */
export const inFolder = (folder: string, path: string): string =>
  path.startsWith("/") ? posix.normalize(path.slice(1)) : posix.join(folder, path);

function successionsIn(links: ReadonlyMap<PlacedRecord, readonly ResolvedLink[]>): Succession[] {
  const found = new Map<string, Succession>();
  for (const [record, own] of links) {
    for (const { relation, target, partial } of own) {
      if (!target || target === record) continue;
      if (relation !== "supersedes" && relation !== "superseded by") continue;
      const isNewer = relation === "supersedes";
      const [older, newer] = isNewer ? [target, record] : [record, target];
      const key = `${older.file}\n${newer.file}`;
      const known = found.get(key) ?? {
        older,
        newer,
        partial,
        saidBy: { older: false, newer: false },
      };
      known.partial &&= partial;
      known.saidBy[isNewer ? "newer" : "older"] = true;
      found.set(key, known);
    }
  }
  return [...found.values()];
}

/** A part that was superseded leaves the rest of a decision alive. A circle ends where it closes. */
function livingFrom(
  record: PlacedRecord,
  supersededBy: (record: PlacedRecord) => readonly Succession[],
): PlacedRecord[] {
  const seen = new Set([record]);
  const living: PlacedRecord[] = [];
  const open = [record];
  for (let next = open.pop(); next; next = open.pop()) {
    const newer = supersededBy(next).filter(({ partial }) => !partial);
    if (newer.length === 0) living.push(next);
    for (const { newer: after } of newer) {
      if (seen.has(after)) continue;
      seen.add(after);
      open.push(after);
    }
  }
  return living;
}
