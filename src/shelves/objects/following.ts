import { countBelow } from "../../text/ascending.ts";
import type { ParsedObject } from "../../text/objects/parse.ts";
import { isFields, numberOf, textOf } from "../../text/objects/value.ts";
import type { Complaint } from "./complaint.ts";
import type { Edge } from "./graph.ts";
import { edgesIn, fieldsByReference } from "./references.ts";
import { remembered } from "./remembered.ts";
import type { Resolution, Resolver, Standpoint } from "./resolver.ts";
import { lineOf, type WorkspaceObject } from "./workspace-object.ts";

/** One place in a file where an object speaks of another. */
export interface Occurrence {
  source: WorkspaceObject;
  /** Undefined where the reference leads nowhere, or to several. */
  target: WorkspaceObject | undefined;
  /** The field that it stands in; text between the fields belongs to none. */
  field: string | undefined;
  /** As it is written, with its brackets. */
  raw: string;
  line: number;
  /** Counted from zero in units of UTF-16, the end exclusive. */
  startCol: number;
  endCol: number;
}

export interface Followed {
  edges: Edge[];
  occurrences: Occurrence[];
  complaints: Complaint[];
}

/** Follows every reference of every object, once each. */
export function followed(objects: readonly WorkspaceObject[], resolver: Resolver): Followed {
  const resolve = remembering(resolver);
  const edges: Edge[] = [];
  const occurrences: Occurrence[] = [];
  const complaints: Complaint[] = [];
  for (const source of objects) {
    const from = standpointOf(source);
    const met = new Set<string>();
    for (const { target: reference, field, type } of edgesIn(source.record)) {
      const found = resolve(reference, from);
      if (found.found !== "object" && found.found !== "field") continue;
      const { object: target } = found;
      const targetField = found.found === "field" ? found.field : "";
      const key = `${field}\0${type}\0${target.globalId}`;
      if (met.has(key)) continue;
      met.add(key);
      edges.push({ source, target, field, type, targetField });
    }
    for (const { field, raw, line, startCol, endCol } of writtenIn(source.record)) {
      const found = resolve(raw, from);
      const target = "object" in found ? found.object : undefined;
      occurrences.push({ source, target, field, raw, line, startCol, endCol });
      const problem = complaintAbout(raw, found);
      if (!problem) continue;
      const { file, id: object } = source;
      complaints.push({ ...problem, file, line, object, reference: raw });
    }
  }
  return { edges, occurrences, complaints };
}

/** A namespace speaks from within itself. */
export const standpointOf = ({
  kind,
  id,
  workspace,
  namespace,
  file,
}: WorkspaceObject): Standpoint => ({
  workspace: kind === "__Workspace" ? id : workspace,
  namespace: kind === "__Namespace" ? id : namespace,
  file,
});

/** Most references of a namespace are to the same few, whatever file they stand in. */
function remembering(resolver: Resolver): (reference: string, from: Standpoint) => Resolution {
  const ofFiles = new Map<string, boolean>();
  const known = new Map<string, Resolution>();
  return (reference, from) => {
    const isOfFile = ofFiles.get(reference) ?? resolver.isOfFile(reference);
    ofFiles.set(reference, isOfFile);
    const place = `${from.workspace}\0${from.namespace}\0${isOfFile ? from.file : ""}`;
    const key = `${place}\0${reference}`;
    const found = known.get(key) ?? resolver.resolve(reference, from);
    known.set(key, found);
    return found;
  };
}

type Written = Pick<Occurrence, "field" | "raw" | "line" | "startCol" | "endCol">;

/** The references that the parser noted, each with the field it stands in. */
const writtenIn = remembered((record: ParsedObject): Written[] => [...writtenOf(record)]);

function* writtenOf(record: ParsedObject): Generator<Written> {
  const noted = record.get("__references");
  if (!Array.isArray(noted)) return;
  const fieldAt = fieldFinder(record);
  for (const reference of noted) {
    if (!isFields(reference)) continue;
    const raw = textOf(reference.get("raw")) ?? "";
    const line = numberOf(reference.get("line")) ?? lineOf(record);
    yield {
      raw,
      line,
      startCol: numberOf(reference.get("start_col")) ?? 0,
      endCol: numberOf(reference.get("end_col")) ?? 0,
      field: fieldAt(raw, line),
    };
  }
}

/** Of the fields that hold a reference, the last one that begins at its line or above. */
function fieldFinder(record: ParsedObject): (raw: string, line: number) => string | undefined {
  const positions = record.get("__positions");
  const begins = (field: string): number => {
    const position = isFields(positions) ? positions.get(field) : undefined;
    return (isFields(position) ? numberOf(position.get("line")) : undefined) ?? 0;
  };
  // Of those that begin on one line the first is meant, so it stands last.
  const inOrder = (fields: readonly string[]) =>
    fields
      .map((field) => ({ field, begin: begins(field) }))
      .reverse()
      .sort((a, b) => a.begin - b.begin);
  const holding = new Map(
    [...fieldsByReference(record)].map(([raw, fields]) => [raw, inOrder(fields)]),
  );
  return (raw, line) => {
    const fields = holding.get(raw) ?? [];
    return fields[countBelow(fields, ({ begin }) => begin <= line) - 1]?.field;
  };
}

function complaintAbout(
  raw: string,
  found: Resolution,
): Pick<Complaint, "type" | "message" | "severity" | "candidates"> | undefined {
  const name = raw.slice(3, -2);
  if (found.found === "nothing") {
    const hint = found.meant ? `. Did you mean [[#${found.meant}]]?` : "";
    const message = `Object '${name}' not found${hint}`;
    return { type: "broken_link", message, severity: "error" };
  }
  if (found.found !== "several") return undefined;
  const { by, candidates } = found;
  if (by === "field") {
    const message = `Reference '#${name}' cannot be unequivocally resolved to an object or a field`;
    return { type: "ambiguous_field_reference", message, severity: "warning", candidates };
  }
  const how = by === "local id" ? " by __local_id" : "";
  const message = `Ambiguous reference '#${name}' - multiple objects match${how}`;
  return { type: "ambiguous_reference", message, severity: "warning", candidates };
}
