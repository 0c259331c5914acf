import { Failure } from "../../../kernel/failure.ts";
import { packed } from "../../../kernel/formats/packed.ts";
import { counted } from "../../../text/counted.ts";
import { inMarkup } from "../../../text/markup.ts";
import { type Cell, columnsOf, type Report, type Table } from "./report.ts";

/** What a sheet holds at most, by the format's own rules. */
const mostRows = 1_048_576;
const mostColumns = 16_384;
const mostLetters = 32_767;

/** A workbook with a sheet for each table, and one for the notes. Texts are texts, never formulas. */
export function xlsxOf({ tables, notes }: Report): Promise<Buffer> {
  const cut = tables.flatMap(({ rows }) => rows.flat()).filter(isTooLong).length;
  const told = cut === 0 ? notes : [...notes, `${counted(cut, "text")} cut at 32,767 letters.`];
  const last = {
    title: "Notes",
    columns: columnsOf({ note: "Note" }),
    rows: told.map((one) => [one]),
  };
  const sheets: Table[] = told.length === 0 ? tables : [...tables, last];
  for (const { rows, columns } of sheets) {
    if (rows.length < mostRows && columns.length <= mostColumns) continue;
    throw new Failure(
      "too-large",
      "too-large",
      "This table is larger than a sheet of xlsx can be.",
      {
        hints: ["Narrow the report, or export it as csv."],
      },
    );
  }
  return packed([
    ["[Content_Types].xml", contentTypes(sheets.length)],
    ["_rels/.rels", relations([["officeDocument", "xl/workbook.xml"]])],
    ["xl/workbook.xml", workbook(sheets.map(({ title }) => title))],
    [
      "xl/_rels/workbook.xml.rels",
      relations([
        ...sheets.map((_, place) => ["worksheet", `worksheets/sheet${place + 1}.xml`] as const),
        ["styles", "styles.xml"],
      ]),
    ],
    ["xl/styles.xml", styles],
    ...sheets.map((table, place) => [`xl/worksheets/sheet${place + 1}.xml`, sheet(table)] as const),
  ]);
}

const isTooLong = (cell: Cell): boolean => typeof cell === "string" && cell.length > mostLetters;

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const office = "http://schemas.openxmlformats.org";
const spreadsheet = `xmlns="${office}/spreadsheetml/2006/main"`;
const officeRelation = `${office}/officeDocument/2006/relationships`;
const sheetType = "application/vnd.openxmlformats-officedocument.spreadsheetml";

const contentTypes = (sheets: number): string =>
  `${head}<Types xmlns="${office}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${sheetType}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${sheetType}.styles+xml"/>${numbered(
    sheets,
    (number) =>
      `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="${sheetType}.worksheet+xml"/>`,
  )}</Types>`;

const relations = (targets: readonly (readonly [kind: string, target: string])[]): string =>
  `${head}<Relationships xmlns="${office}/package/2006/relationships">${targets
    .map(
      ([kind, target], place) =>
        `<Relationship Id="rId${place + 1}" Type="${officeRelation}/${kind}" Target="${target}"/>`,
    )
    .join("")}</Relationships>`;

/** Sheets are named by the titles of tables, which are ours and within the rules for such names. */
const workbook = (titles: readonly string[]): string =>
  `${head}<workbook ${spreadsheet} xmlns:r="${officeRelation}"><sheets>${titles
    .map(
      (title, place) =>
        `<sheet name="${inMarkup(title)}" sheetId="${place + 1}" r:id="rId${place + 1}"/>`,
    )
    .join("")}</sheets></workbook>`;

/** Numbers as they are, a bold head, and texts that wrap and stay texts when somebody edits them. */
const [plain, bold, text] = [0, 1, 2];

const styles = `${head}<styleSheet ${spreadsheet}><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" applyAlignment="1"><alignment vertical="top"/></xf><xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

/** The head stays in view, and columns are as wide as their texts, within reason. */
function sheet({ columns, rows }: Table): string {
  const lines = [
    rowOf(
      columns.map(({ title }) => title),
      1,
      bold,
    ),
    ...rows.map((cells, place) => rowOf(cells, place + 2, text)),
  ];
  const widths = columns.map(({ title }, place) => {
    const lengths = rows.slice(0, 200).map((cells) => String(cells[place] ?? "").length);
    const width = Math.min(60, Math.max(8, title.length + 2, ...lengths));
    return `<col min="${place + 1}" max="${place + 1}" width="${width}" customWidth="1"/>`;
  });
  return `${head}<worksheet ${spreadsheet}><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join("")}</cols><sheetData>${lines.join("")}</sheetData></worksheet>`;
}

const rowOf = (cells: readonly Cell[], number: number, style: number): string =>
  `<row r="${number}">${cells
    .map((cell, place) => written(cell, `${letters(place)}${number}`, style))
    .join("")}</row>`;

function written(cell: Cell, place: string, style: number): string {
  if (cell === null) return "";
  if (typeof cell === "number") return `<c r="${place}" s="${plain}"><v>${cell}</v></c>`;
  const words = inMarkup(literal(cell.slice(0, mostLetters)));
  return `<c r="${place}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${words}</t></is></c>`;
}

/** The format reads `_x0041_` as a letter by its number; words that look so are told apart. */
const literal = (words: string): string => words.replace(/_(?=x[0-9a-f]{4}_)/gi, "_x005F_");

/** `A` to `Z`, then `AA`. */
const letters = (place: number): string =>
  (place < 26 ? "" : letters(Math.floor(place / 26) - 1)) + String.fromCharCode(65 + (place % 26));

const numbered = (count: number, line: (number: number) => string): string =>
  Array.from({ length: count }, (_, place) => line(place + 1)).join("");
