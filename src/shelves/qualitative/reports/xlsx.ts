import { Failure } from "../../../kernel/failure.ts";
import { createZip } from "../../../kernel/formats/containers/zip-writer.ts";
import { escapeXml } from "../../../text/formats/xml-escape.ts";
import { pluralise } from "../../../text/strings/pluralise.ts";
import { type Cell, type Report, type Table, titledColumns } from "./report.ts";

/** Limits of the file format. */
const maxRows = 1_048_576;
const maxColumns = 16_384;
const maxCellChars = 32_767;

/** A workbook with one sheet per table, and one for the notes. Texts are never formulas. */
export function renderXlsx({ tables, notes }: Report): Promise<Buffer> {
  const cut = tables.flatMap(({ rows }) => rows.flat()).filter(isTooLong).length;
  const allNotes =
    cut === 0 ? notes : [...notes, `${pluralise(cut, "text")} cut at 32,767 characters.`];
  const last = {
    title: "Notes",
    columns: titledColumns({ note: "Note" }),
    rows: allNotes.map((one) => [one]),
  };
  const sheets: Table[] = allNotes.length === 0 ? tables : [...tables, last];
  for (const { rows, columns } of sheets) {
    if (rows.length < maxRows && columns.length <= maxColumns) continue;
    throw new Failure("too-large", "too-large", "This table is too large for an xlsx sheet.", {
      hints: ["Filter the report, or export it as csv."],
    });
  }
  return createZip([
    ["[Content_Types].xml", contentTypes(sheets.length)],
    ["_rels/.rels", relations([["officeDocument", "xl/workbook.xml"]])],
    ["xl/workbook.xml", workbook(sheets.map(({ title }) => title))],
    [
      "xl/_rels/workbook.xml.rels",
      relations([
        ...sheets.map((_, index) => ["worksheet", `worksheets/sheet${index + 1}.xml`] as const),
        ["styles", "styles.xml"],
      ]),
    ],
    ["xl/styles.xml", styles],
    ...sheets.map((table, index) => [`xl/worksheets/sheet${index + 1}.xml`, sheet(table)] as const),
  ]);
}

const isTooLong = (cell: Cell): boolean => typeof cell === "string" && cell.length > maxCellChars;

const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const office = "http://schemas.openxmlformats.org";
const spreadsheet = `xmlns="${office}/spreadsheetml/2006/main"`;
const officeRelation = `${office}/officeDocument/2006/relationships`;
const sheetType = "application/vnd.openxmlformats-officedocument.spreadsheetml";

const contentTypes = (sheets: number): string =>
  `${xmlDeclaration}<Types xmlns="${office}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${sheetType}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${sheetType}.styles+xml"/>${repeatNumbered(
    sheets,
    (number) =>
      `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="${sheetType}.worksheet+xml"/>`,
  )}</Types>`;

const relations = (targets: readonly (readonly [kind: string, target: string])[]): string =>
  `${xmlDeclaration}<Relationships xmlns="${office}/package/2006/relationships">${targets
    .map(
      ([kind, target], index) =>
        `<Relationship Id="rId${index + 1}" Type="${officeRelation}/${kind}" Target="${target}"/>`,
    )
    .join("")}</Relationships>`;

/** Sheets are named after the titles of the tables, which are valid sheet names. */
const workbook = (titles: readonly string[]): string =>
  `${xmlDeclaration}<workbook ${spreadsheet} xmlns:r="${officeRelation}"><sheets>${titles
    .map(
      (title, index) =>
        `<sheet name="${escapeXml(title)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
    )
    .join("")}</sheets></workbook>`;

/** Style indexes: numbers, bold headings, and wrapped text that remains text when it is edited. */
const [plain, bold, text] = [0, 1, 2];

const styles = `${xmlDeclaration}<styleSheet ${spreadsheet}><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" applyAlignment="1"><alignment vertical="top"/></xf><xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

/** The heading row is frozen; column widths follow the content, up to a limit. */
function sheet({ columns, rows }: Table): string {
  const lines = [
    rowOf(
      columns.map(({ title }) => title),
      1,
      bold,
    ),
    ...rows.map((cells, index) => rowOf(cells, index + 2, text)),
  ];
  const widths = columns.map(({ title }, index) => {
    const lengths = rows.slice(0, 200).map((cells) => String(cells[index] ?? "").length);
    const width = Math.min(60, Math.max(8, title.length + 2, ...lengths));
    return `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`;
  });
  return `${xmlDeclaration}<worksheet ${spreadsheet}><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join("")}</cols><sheetData>${lines.join("")}</sheetData></worksheet>`;
}

const rowOf = (cells: readonly Cell[], number: number, style: number): string =>
  `<row r="${number}">${cells
    .map((cell, reference) => renderCell(cell, `${columnLetters(reference)}${number}`, style))
    .join("")}</row>`;

function renderCell(cell: Cell, reference: string, style: number): string {
  if (cell === null) return "";
  if (typeof cell === "number") return `<c r="${reference}" s="${plain}"><v>${cell}</v></c>`;
  const text = escapeXml(escapeHexSequences(cell.slice(0, maxCellChars)));
  return `<c r="${reference}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`;
}

/** XLSX reads `_x0041_` as a character code, so text that looks like one is escaped. */
const escapeHexSequences = (text: string): string =>
  text.replace(/_(?=x[0-9a-f]{4}_)/gi, "_x005F_");

/** `A` to `Z`, then `AA`. */
const columnLetters = (index: number): string =>
  (index < 26 ? "" : columnLetters(Math.floor(index / 26) - 1)) +
  String.fromCharCode(65 + (index % 26));

const repeatNumbered = (count: number, line: (number: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index + 1)).join("");
