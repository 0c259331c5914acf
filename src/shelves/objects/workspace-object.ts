import { basename } from "node:path/posix";
import type { ParsedObject } from "../../text/objects/parse.ts";
import type { ObjectPlace } from "../../text/objects/places.ts";
import { numberOf, textOf, type Value } from "../../text/objects/value.ts";
import { anchorFile } from "./workspace-root.ts";

/** An object with its place among all others. */
export interface WorkspaceObject {
  /** As it was parsed, with every key of the full format. */
  readonly record: ParsedObject;
  readonly id: string;
  /** Its name below its parent, where it has one. */
  readonly localId: string | undefined;
  readonly kind: string;
  readonly label: string | undefined;
  /** Relative to the root; empty for a workspace that nobody declared. */
  readonly file: string;
  readonly line: number;
  readonly level: number | undefined;
  /** Empty for workspaces themselves and for files outside of any. */
  readonly workspace: string;
  readonly namespace: string;
  /** The id of the object it belongs to. */
  readonly parent: string | undefined;
  /**
   * No two objects of an index share it: `workspace:namespace:id`, and longer where that is taken.
   */
  readonly globalId: string;
  /** Where it stands in its file; nowhere, if nobody wrote it down. */
  readonly place: ObjectPlace | undefined;
}

/** Kinds that stand for the layout of a file and not for something its author named. */
export const isLayout = ({ kind }: { kind: string }): boolean =>
  kind === "__TextBlock" || kind === "__Document";

/** Kinds that a folder is declared by. */
export const isFolderKind = (kind: string): boolean =>
  kind === "__Workspace" || kind === "__Namespace";

/** What lies below a folder goes by the name that its anchor declares. */
export const declaresFolder = ({ kind, file }: WorkspaceObject): boolean =>
  isFolderKind(kind) && basename(file) === anchorFile;

/** Kinds of the format itself. */
export const isSystem = ({ kind }: { kind: string }): boolean =>
  isLayout({ kind }) || isFolderKind(kind);

export const textIn = (record: ParsedObject, key: string): string | undefined =>
  textOf(record.get(key));

export const numberIn = (record: ParsedObject, key: string): number | undefined =>
  numberOf(record.get(key));

export const lineOf = (record: ParsedObject): number => numberIn(record, "__line") ?? 1;

/** The fields that its author wrote, in their order. */
export function* fieldsOf(record: ParsedObject): Generator<[name: string, value: Value]> {
  for (const [name, value] of record) if (!name.startsWith("__")) yield [name, value];
}
