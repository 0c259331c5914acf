import { groupedBy } from "../../../text/grouped.ts";
import { offsetsOf } from "../../../text/offsets.ts";
import { rowsOf } from "../qda/storage-exchange.ts";
import type { Basket, OwnedRow } from "./basket.ts";
import { breakCircles } from "./circles.ts";
import {
  type AttributeContent,
  type CaseContent,
  type FolderContent,
  type JournalContent,
  onceEach,
  type SourceContent,
} from "./content.ts";

type Sources = ReadonlyMap<number, SourceContent>;

/** What stands around sources and codes: folders, attributes, cases and journals. */
export function gatherAround(basket: Basket, sources: Sources) {
  const folders = gatherFolders(basket, sources);
  const cases = gatherCases(basket, sources);
  const attributes = gatherAttributes(basket, sources, cases);
  return { folders, attributes, cases: [...cases.values()], journals: gatherJournals(basket) };
}

interface BesideRow {
  source_id: number;
  source_date: string | null;
  folder_id: number | null;
  origin: string | null;
  language: string | null;
  topics: string | null;
  organization: string | null;
  private?: number | null;
}

function gatherFolders(basket: Basket, sources: Sources): FolderContent[] {
  const { losses, project } = basket;
  const { db } = project;
  const rows = rowsOf<{ name: string; parent_id: number | null }>(db, "lectern_folders");
  const guids = new Map(rows.map((row) => [row.row, basket.guidOf("folder", { row: row.row })]));
  for (const beside of rowsOf<BesideRow>(db, "lectern_sources")) {
    const source = sources.get(beside.source_id);
    if (!source || (source.date ?? null) !== beside.source_date) continue;
    source.folder = guids.get(beside.folder_id ?? 0) ?? null;
    if (beside.private) losses.add("dropped", "Marks that keep sources from agents", source.name);
    const { origin, language, topics, organization } = beside;
    if (origin ?? language ?? topics ?? organization) {
      losses.add("dropped", "Origin, language, topics and filing of sources", source.name);
    }
  }
  const folders = rows.map(({ row, name, parent_id }) => ({
    guid: guids.get(row) ?? "",
    name,
    parent: guids.get(parent_id ?? 0) ?? null,
  }));
  breakCircles(folders, losses);
  return folders;
}

interface NamedRow extends OwnedRow {
  row: number;
  name: string | null;
  memo: string | null;
}

function gatherCases(basket: Basket, sources: Sources): Map<number, CaseContent> {
  const { db } = basket.project;
  const parts = groupedBy(rowsOf<CasePartRow>(db, "case_text"), ({ caseid }) => caseid);
  const lengths = new Map(
    [...sources].map(([row, { text }]) => [row, offsetsOf(text ?? "").length]),
  );
  return new Map(
    rowsOf<NamedRow>(db, "cases").map((row): [number, CaseContent] => {
      const name = row.name ?? "";
      const whole = new Set<string>();
      const passages: CaseContent["passages"] = [];
      for (const { fid, pos0: start, pos1: end } of parts.get(row.row) ?? []) {
        const source = sources.get(fid)?.guid;
        const length = lengths.get(fid) ?? 0;
        if (source === undefined) continue;
        if (start === 0 && (end === 0 || end === length)) whole.add(source);
        else if (start !== null && 0 <= start && start < end && end <= length)
          passages.push({ source, start, end });
        else basket.losses.add("dropped", "Passages of cases outside of their text", name);
      }
      return [
        row.row,
        {
          guid: basket.guidOf("case", row),
          name,
          memo: basket.memoOf(row.memo, name),
          sources: [...whole],
          passages: onceEach(passages),
          values: [],
        },
      ];
    }),
  );
}

type CasePartRow = Record<"caseid" | "fid" | "pos1", number> & { pos0: number | null };

interface AttributeRow extends NamedRow {
  caseOrFile: string;
  valuetype: string;
}

function gatherAttributes(
  basket: Basket,
  sources: Sources,
  cases: ReadonlyMap<number, CaseContent>,
): AttributeContent[] {
  const { losses, project } = basket;
  const { db } = project;
  const attributes = new Map<string, AttributeContent>();
  for (const row of rowsOf<AttributeRow>(db, "attribute_type")) {
    const name = row.name ?? "";
    if (row.caseOrFile !== "case" && row.caseOrFile !== "file") {
      losses.add("dropped", "Attributes of journals", name);
      continue;
    }
    attributes.set(name, {
      // The table has no numbers of its own, and SQLite's may change when the file is packed.
      guid: basket.guidOf("attribute", { row: name, date: row.date ?? null }),
      name,
      memo: basket.memoOf(row.memo, name),
      of: row.caseOrFile,
      type: row.valuetype === "numeric" ? "numeric" : "character",
    });
  }
  type Row = { name: string; attr_type: string; value: string | null; id: number };
  for (const { name, attr_type, value, id } of rowsOf<Row>(db, "attribute")) {
    const attribute = attributes.get(name);
    const owner = attr_type === "case" ? cases.get(id) : sources.get(id);
    if (!attribute || attribute.of !== attr_type || !owner || !value) continue;
    owner.values.push({ attribute: attribute.guid, value });
  }
  const used = new Set([...sources.values()].flatMap((one) => one.values.map((v) => v.attribute)));
  for (const { guid, name, of } of attributes.values()) {
    if (of === "case" || used.has(guid)) continue;
    losses.add("changed", "Attributes of sources without a value, which may become cases'", name);
  }
  return [...attributes.values()];
}

function gatherJournals(basket: Basket): JournalContent[] {
  type Row = NamedRow & { jentry: string | null };
  return rowsOf<Row>(basket.project.db, "journal").map((row) => ({
    guid: basket.guidOf("journal", row),
    name: row.name ?? "",
    text: basket.memoOf(row.jentry, row.name ?? ""),
    ...basket.made(row),
  }));
}
