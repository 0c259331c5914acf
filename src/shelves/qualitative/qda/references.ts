import type { Row, WrittenTable } from "./storage-rows.ts";

/** What has a name, and how we call it. */
export const namedTables = {
  source: "source",
  code_name: "code",
  code_cat: "category",
  cases: "case",
  journal: "journal",
  lectern_folders: "folder",
} as const;

export type NamedTable = keyof typeof namedTables;

export const isNamed = (table: WrittenTable): table is NamedTable => table in namedTables;

/** A thing that a row names by its number, in one of its columns. */
interface Reference {
  column: string;
  table: NamedTable;
  id: number;
}

export function referencesIn(table: WrittenTable, row: Row): Reference[] {
  const columns = table === "attribute" ? attributed(row) : (references[table] ?? {});
  return Object.entries(columns).flatMap(([column, named]) => {
    const id = row[column];
    return typeof id === "number" ? [{ column, table: named, id }] : [];
  });
}

const references: Partial<Record<WrittenTable, Record<string, NamedTable>>> = {
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

const attributed = ({ attr_type }: Row): Record<string, NamedTable> => ({
  id: attr_type === "case" ? "cases" : "source",
});

/** The column that holds a row's own number, where its table has one. */
export const ownNumbers: Partial<Record<WrittenTable, string>> = {
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
