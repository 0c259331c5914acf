import { changeLogTables } from "../../../kernel/approval/change-tables.ts";

/** The version of QualCoder's schema in new projects. */
export const newestSchemaVersion = "v17";

/** A database without these tables is not a QualCoder project, or is damaged. */
export const requiredTables = ["project", "source", "code_cat", "code_name", "code_text"] as const;

/** The columns by which the rows of these tables are numbered in all versions. */
export const rowNumbers = [
  ["source", "id"],
  ["code_cat", "catid"],
  ["code_name", "cid"],
] as const;

/**
 * QualCoder's schema, with its tables, columns and unique keys. Lectern's tables are in
 * `ownMigrations`. Tables of drawn graphs are created as in version 8; QualCoder adds the missing
 * columns when it opens a project.
 */
export const qualcoderSchema = `
CREATE TABLE project (databaseversion text, date text, memo text, about text, bookmarkfile integer,
  bookmarkpos integer, codername text, recently_used_codes text, avbookmarkfile integer,
  avbookmarkmsec integer, avbookmarktextpos integer);
CREATE TABLE source (id integer primary key, name text, fulltext text, mediapath text, memo text,
  owner text, date text, av_text_id integer, risid integer, unique(name));
CREATE TABLE code_cat (catid integer primary key, name text, owner text, date text, memo text,
  supercatid integer, unique(name));
CREATE TABLE code_name (cid integer primary key, name text, memo text, catid integer, owner text,
  date text, color text, supercid integer, unique(name));
CREATE TABLE code_text (ctid integer primary key, cid integer, fid integer, seltext text,
  pos0 integer, pos1 integer, owner text, date text, memo text, avid integer, important integer,
  unique(cid,fid,pos0,pos1,owner));
CREATE TABLE code_image (imid integer primary key, id integer, x1 integer, y1 integer,
  width integer, height integer, cid integer, memo text, date text, owner text, important integer,
  pdf_page integer);
CREATE TABLE code_av (avid integer primary key, id integer, pos0 integer, pos1 integer, cid integer,
  memo text, date text, owner text, important integer);
CREATE TABLE annotation (anid integer primary key, fid integer, pos0 integer, pos1 integer,
  memo text, owner text, date text, unique(fid,pos0,pos1,owner));
CREATE TABLE cases (caseid integer primary key, name text, memo text, owner text, date text,
  unique(name));
CREATE TABLE case_text (id integer primary key, caseid integer, fid integer, pos0 integer,
  pos1 integer, owner text, date text, memo text);
CREATE TABLE attribute_type (name text primary key, date text, owner text, memo text,
  caseOrFile text, valuetype text);
CREATE TABLE attribute (attrid integer primary key, name text, attr_type text, value text,
  id integer, date text, owner text, unique(name,attr_type,id));
CREATE TABLE journal (jid integer primary key, name text, jentry text, date text, owner text,
  unique(name));
CREATE TABLE stored_sql (title text, description text, grouper text, ssql text, unique(title));
CREATE TABLE graph (grid integer primary key, name text, description text, date text,
  scene_width integer, scene_height integer, unique(name));
CREATE TABLE gr_cdct_text_item (gtextid integer primary key, grid integer, x integer, y integer,
  supercatid integer, catid integer, cid integer, font_size integer, bold integer,
  isvisible integer, displaytext text);
CREATE TABLE gr_case_text_item (gcaseid integer primary key, grid integer, x integer, y integer,
  caseid integer, font_size integer, bold integer, color text, displaytext text);
CREATE TABLE gr_file_text_item (gfileid integer primary key, grid integer, x integer, y integer,
  fid integer, font_size integer, bold integer, color text, displaytext text);
CREATE TABLE gr_free_text_item (gfreeid integer primary key, grid integer, freetextid integer,
  x integer, y integer, free_text text, font_size integer, bold integer, color text, tooltip text,
  ctid integer, memo_ctid integer, memo_imid integer, memo_avid integer);
CREATE TABLE gr_cdct_line_item (glineid integer primary key, grid integer, fromcatid integer,
  fromcid integer, tocatid integer, tocid integer, color text, linewidth real, linetype text,
  isvisible integer);
CREATE TABLE gr_free_line_item (gflineid integer primary key, grid integer, fromfreetextid integer,
  fromcatid integer, fromcid integer, fromcaseid integer, fromfileid integer, fromimid integer,
  fromavid integer, tofreetextid integer, tocatid integer, tocid integer, tocaseid integer,
  tofileid integer, toimid integer, toavid integer, color text, linewidth real, linetype text);
CREATE TABLE gr_pix_item (grpixid integer primary key, grid integer, imid integer, x integer,
  y integer, px integer, py integer, w integer, h integer, filepath text, tooltip text);
CREATE TABLE gr_av_item (gr_avid integer primary key, grid integer, avid integer, x integer,
  y integer, pos0 integer, pos1 integer, filepath text, tooltip text, color text);
CREATE TABLE ris (risid integer, tag text, longtag text, value text);
CREATE TABLE manage_files_display (mfid integer primary key, name text, tblrows text,
  tblcolumns text, owner text);
CREATE TABLE files_filter (filterid integer primary key, name text, filter text, owner text);
CREATE TABLE coder_names (name text not null, visibility integer default 1 check (visibility in (0, 1)),
  unique(name));
${visibleTables().map(visibleView).join("\n")}`;

function visibleTables(): string[] {
  return ["code_text", "code_image", "code_av", "annotation"];
}

function visibleView(table: string): string {
  return `CREATE VIEW ${table}_visible AS SELECT * FROM ${table}
    WHERE owner NOT IN (SELECT name FROM coder_names WHERE visibility = 0);`;
}

/** Every form of these views in a project: as Lectern creates them, and as QualCoder does. */
export const qualcoderViews: readonly string[] = visibleTables().flatMap((table) => [
  visibleView(table),
  `CREATE VIEW ${table}_visible AS SELECT t.* FROM ${table} t WHERE NOT EXISTS (
     SELECT 1 FROM coder_names c WHERE c.name = t.owner AND c.visibility = 0)`,
]);

/** Counts the migrations of `ownMigrations` that were applied to a project. */
export const ownVersionTable = "CREATE TABLE IF NOT EXISTS lectern_schema (steps INTEGER NOT NULL)";

/**
 * Data that QualCoder's schema has no column for. SQLite may give the id of a deleted source to a
 * new one, so the row of a source in Lectern's table is valid only while its date matches.
 */
export const ownMigrations: readonly string[] = [
  `CREATE TABLE lectern_folders (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     name TEXT NOT NULL,
     parent_id INTEGER
   );
   CREATE TABLE lectern_project (name TEXT NOT NULL);
   CREATE TABLE lectern_sources (
     source_id INTEGER PRIMARY KEY,
     source_date TEXT,
     folder_id INTEGER,
     origin TEXT,
     language TEXT,
     topics TEXT,
     organization TEXT
   );`,
  ...migrationsOf(changeLogTables("lectern_")),
  "ALTER TABLE lectern_sources ADD COLUMN private INTEGER;",
  "CREATE TABLE lectern_agents (name TEXT PRIMARY KEY) WITHOUT ROWID;",
  `CREATE TABLE lectern_guids (
     kind TEXT NOT NULL,
     key TEXT NOT NULL,
     date TEXT,
     guid TEXT NOT NULL,
     PRIMARY KEY (kind, key)
   );`,
  `ALTER TABLE lectern_sources ADD COLUMN revision INTEGER;
   CREATE TABLE lectern_inbox (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     source_id INTEGER NOT NULL,
     kind TEXT NOT NULL,
     cid INTEGER,
     was TEXT NOT NULL,
     quote TEXT NOT NULL,
     pos0 INTEGER,
     pos1 INTEGER,
     score REAL NOT NULL,
     date TEXT NOT NULL
   );`,
  // Rows made by agents, each with a digest of its content when an agent last wrote it.
  `CREATE TABLE lectern_agent_rows (
     name TEXT NOT NULL,
     id INTEGER NOT NULL,
     mark TEXT NOT NULL,
     PRIMARY KEY (name, id)
   ) WITHOUT ROWID;`,
  // The name that agents see instead of the real one, if the real one would reveal that a private
  // source has it.
  "ALTER TABLE lectern_sources ADD COLUMN agent_name TEXT;",
];

function migrationsOf(tables: ReturnType<typeof changeLogTables>): readonly string[] {
  return tables.kind === "authored" ? tables.steps : [];
}
