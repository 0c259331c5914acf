import { basename } from "node:path/posix";
import type { ObjectPosition } from "../../../text/objects/object-positions.ts";
import type { ParsedObject } from "../../../text/objects/parse-objects.ts";
import { numberValue, textValue, type Value } from "../../../text/objects/values/value.ts";
import { anchorFile } from "./workspace-root.ts";

/** An object of a workspace. */
export interface WorkspaceObject {
  /** The parsed record, with all keys of the full format. */
  readonly record: ParsedObject;
  readonly id: string;
  /** Its name within its parent, if it has one. */
  readonly localId: string | undefined;
  readonly kind: string;
  readonly label: string | undefined;
  /** Relative to the root; empty for a virtual workspace. */
  readonly file: string;
  readonly line: number;
  readonly level: number | undefined;
  /** Empty for workspace objects and for files outside of any workspace. */
  readonly workspace: string;
  readonly namespace: string;
  /** The id of its parent. */
  readonly parent: string | undefined;
  /**
   * Unique in an index: `workspace:namespace:id`, or a longer form if that is taken.
   */
  readonly globalId: string;
  /** Its position in the file; undefined for a virtual workspace. */
  readonly position: ObjectPosition | undefined;
}

/** Kinds that represent the layout of a file, not a named object. */
export const isLayout = ({ kind }: { kind: string }): boolean =>
  kind === "__TextBlock" || kind === "__Document";

/** Kinds that declare a folder. */
export const isFolderKind = (kind: string): boolean =>
  kind === "__Workspace" || kind === "__Namespace";

/** Whether an object is the declaration of its folder. */
export const declaresFolder = ({ kind, file }: WorkspaceObject): boolean =>
  isFolderKind(kind) && basename(file) === anchorFile;

/** Kinds that the format defines. */
export const isSystem = ({ kind }: { kind: string }): boolean =>
  isLayout({ kind }) || isFolderKind(kind);

export const textField = (record: ParsedObject, key: string): string | undefined =>
  textValue(record.get(key));

export const numberField = (record: ParsedObject, key: string): number | undefined =>
  numberValue(record.get(key));

export const lineOfRecord = (record: ParsedObject): number => numberField(record, "__line") ?? 1;

/** The fields without system keys, in order. */
export function* fieldsOf(record: ParsedObject): Generator<[name: string, value: Value]> {
  for (const [name, value] of record) if (!name.startsWith("__")) yield [name, value];
}
