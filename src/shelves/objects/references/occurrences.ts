import { countBelow } from "../../../text/arrays/binary-search.ts";
import type { ParsedObject } from "../../../text/objects/parse-objects.ts";
import { isFields, numberValue, textValue } from "../../../text/objects/values/value.ts";
import { memoize } from "../memoize.ts";
import type { Diagnostic } from "../workspace/diagnostic.ts";
import { lineOfRecord, type WorkspaceObject } from "../workspace/workspace-object.ts";
import { fieldReferences, fieldsByReference } from "./field-references.ts";
import type { ObjectEdge } from "./graph.ts";
import type { ReferenceResolution, ReferenceResolver, ReferenceScope } from "./resolver.ts";

/** A reference at a position in a file. */
export interface Occurrence {
  source: WorkspaceObject;
  /** Undefined if the reference is broken or ambiguous. */
  target: WorkspaceObject | undefined;
  /** The field that contains it; undefined for text between fields. */
  field: string | undefined;
  /** The reference as written, with its brackets. */
  raw: string;
  line: number;
  /** Zero-based UTF-16 offsets, the end exclusive. */
  startCol: number;
  endCol: number;
}

export interface FollowedReferences {
  edges: ObjectEdge[];
  occurrences: Occurrence[];
  diagnostics: Diagnostic[];
}

/** Resolves every reference of every object. */
export function followReferences(
  objects: readonly WorkspaceObject[],
  resolver: ReferenceResolver,
): FollowedReferences {
  const resolve = memoizeResolve(resolver);
  const edges: ObjectEdge[] = [];
  const occurrences: Occurrence[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const source of objects) {
    const from = referenceScopeOf(source);
    const seen = new Set<string>();
    for (const { target: reference, field, type } of fieldReferences(source.record)) {
      const found = resolve(reference, from);
      if (found.found !== "object" && found.found !== "field") continue;
      const { object: target } = found;
      const targetField = found.found === "field" ? found.field : "";
      const key = `${field}\0${type}\0${target.globalId}`;
      if (seen.has(key)) continue;
      seen.add(key);
      edges.push({ source, target, field, type, targetField });
    }
    for (const { field, raw, line, startCol, endCol } of writtenReferences(source.record)) {
      const found = resolve(raw, from);
      const target = "object" in found ? found.object : undefined;
      occurrences.push({ source, target, field, raw, line, startCol, endCol });
      const problem = referenceDiagnostic(raw, found);
      if (!problem) continue;
      const { file, id: object } = source;
      diagnostics.push({ ...problem, file, line, object, reference: raw });
    }
  }
  return { edges, occurrences, diagnostics };
}

/** The scope of an object's references. That of a namespace is the namespace itself. */
export const referenceScopeOf = ({
  kind,
  id,
  workspace,
  namespace,
  file,
}: WorkspaceObject): ReferenceScope => ({
  workspace: kind === "__Workspace" ? id : workspace,
  namespace: kind === "__Namespace" ? id : namespace,
  file,
});

/** Caches resolutions: most references in a namespace have the same few targets. */
function memoizeResolve(
  resolver: ReferenceResolver,
): (reference: string, from: ReferenceScope) => ReferenceResolution {
  const fileScoped = new Map<string, boolean>();
  const known = new Map<string, ReferenceResolution>();
  return (reference, from) => {
    const isFileScoped = fileScoped.get(reference) ?? resolver.isFileScoped(reference);
    fileScoped.set(reference, isFileScoped);
    const scope = `${from.workspace}\0${from.namespace}\0${isFileScoped ? from.file : ""}`;
    const key = `${scope}\0${reference}`;
    const found = known.get(key) ?? resolver.resolve(reference, from);
    known.set(key, found);
    return found;
  };
}

type WrittenReference = Pick<Occurrence, "field" | "raw" | "line" | "startCol" | "endCol">;

/** The references that the parser recorded, each with its field. */
const writtenReferences = memoize((record: ParsedObject): WrittenReference[] => [
  ...collectWrittenReferences(record),
]);

function* collectWrittenReferences(record: ParsedObject): Generator<WrittenReference> {
  const recorded = record.get("__references");
  if (!Array.isArray(recorded)) return;
  const fieldAt = fieldFinder(record);
  for (const reference of recorded) {
    if (!isFields(reference)) continue;
    const raw = textValue(reference.get("raw")) ?? "";
    const line = numberValue(reference.get("line")) ?? lineOfRecord(record);
    yield {
      raw,
      line,
      startCol: numberValue(reference.get("start_col")) ?? 0,
      endCol: numberValue(reference.get("end_col")) ?? 0,
      field: fieldAt(raw, line),
    };
  }
}

/** Finds the field of a reference: the last one containing it that starts at or above its line. */
function fieldFinder(record: ParsedObject): (raw: string, line: number) => string | undefined {
  const positions = record.get("__positions");
  const startOf = (field: string): number => {
    const position = isFields(positions) ? positions.get(field) : undefined;
    return (isFields(position) ? numberValue(position.get("line")) : undefined) ?? 0;
  };
  // Of several fields that start on one line the first is chosen, so it is sorted last.
  const sortByStart = (fields: readonly string[]) =>
    fields
      .map((field) => ({ field, start: startOf(field) }))
      .reverse()
      .sort((a, b) => a.start - b.start);
  const fieldsByRaw = new Map(
    [...fieldsByReference(record)].map(([raw, fields]) => [raw, sortByStart(fields)]),
  );
  return (raw, line) => {
    const fields = fieldsByRaw.get(raw) ?? [];
    return fields[countBelow(fields, ({ start }) => start <= line) - 1]?.field;
  };
}

function referenceDiagnostic(
  raw: string,
  found: ReferenceResolution,
): Pick<Diagnostic, "type" | "message" | "severity" | "candidates"> | undefined {
  const name = raw.slice(3, -2);
  if (found.found === "nothing") {
    const hint = found.suggestion ? `. Did you mean [[#${found.suggestion}]]?` : "";
    const message = `Object '${name}' not found${hint}`;
    return { type: "broken_link", message, severity: "error" };
  }
  if (found.found !== "ambiguous") return undefined;
  const { by, candidates } = found;
  if (by === "field") {
    const message = `Reference '#${name}' cannot be unequivocally resolved to an object or a field`;
    return { type: "ambiguous_field_reference", message, severity: "warning", candidates };
  }
  const how = by === "local id" ? " by __local_id" : "";
  const message = `Ambiguous reference '#${name}' - multiple objects match${how}`;
  return { type: "ambiguous_reference", message, severity: "warning", candidates };
}
