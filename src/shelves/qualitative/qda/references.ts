import type { Row, WrittenTable } from "./storage-rows.ts";

/** The tables of named rows, with the words for them in messages. */
export const namedTables = {
  source: "source",
  code_name: "code",
  code_cat: "category",
  cases: "case",
  journal: "journal",
  lectern_folders: "folder",
} as const;

export type NamedTable = keyof typeof namedTables;

export const isNamedTable = (table: WrittenTable): table is NamedTable => table in namedTables;

/** A row that another row references by id, and the referencing column. */
interface Reference {
  column: string;
  table: NamedTable;
  id: number;
}

export function referencesOf(table: WrittenTable, row: Row): Reference[] {
  const columns =
    table === "attribute" ? attributeReferenceColumns(row) : (referenceColumns[table] ?? {});
  return Object.entries(columns).flatMap(([column, named]) => {
    const id = row[column];
    return typeof id === "number" ? [{ column, table: named, id }] : [];
  });
}

const referenceColumns: Partial<Record<WrittenTable, Record<string, NamedTable>>> = {
  source: { av_text_id: "source" },
  code_cat: { supercatid: "code_cat" },
  code_name: { catid: "code_cat", supercid: "code_name" },
  code_text: { cid: "code_name", fid: "source" },
  code_image: { cid: "code_name", id: "source" },
  code_av: { cid: "code_name", id: "source" },
  annotation: { fid: "source" },
  case_text: { caseid: "cases", fid: "source" },
  lectern_folders: { parent_id: "lectern_folders" },
  lectern_sources: { source_id: "source", folder_id: "lectern_folders" },
  lectern_inbox: { source_id: "source", cid: "code_name" },
};

const attributeReferenceColumns = ({ attr_type }: Row): Record<string, NamedTable> => ({
  id: attr_type === "case" ? "cases" : "source",
});

/** The primary key column of each table that has one. */
export const idColumns: Partial<Record<WrittenTable, string>> = {
  source: "id",
  code_cat: "catid",
  code_name: "cid",
  code_text: "ctid",
  code_image: "imid",
  code_av: "avid",
  annotation: "anid",
  case_text: "id",
  attribute: "attrid",
  cases: "caseid",
  journal: "jid",
  lectern_folders: "id",
  lectern_inbox: "id",
};
