import { escapeXml } from "../../../text/formats/xml-escape.ts";
import type { Cell, Report, Table } from "./report.ts";

/**
 * A self-contained page without scripts or network requests. Each cell has its own writing
 * direction, and a spreadsheet that opens the page does not read texts as formulas.
 */
export const renderReportHtml = ({ title, tables, notes }: Report): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>${escapeXml(title)}</title>
<style>
${style}
</style>
</head>
<body>
<h1>${escapeXml(title)}</h1>
${notes.map((note) => `<p>${escapeXml(note)}</p>\n`).join("")}${tables.map(renderTable).join("")}</body>
</html>
`;

const renderTable = ({ title, columns, rows }: Table): string =>
  [
    `<table>\n<caption>${escapeXml(title)}</caption>`,
    `<thead><tr>${columns.map((column) => `<th scope="col">${escapeXml(column.title)}</th>`).join("")}</tr></thead>`,
    "<tbody>",
    ...rows.map((cells) => `<tr>${cells.map(renderCell).join("")}</tr>`),
    "</tbody>\n</table>\n",
  ].join("\n");

const renderCell = (cell: Cell): string =>
  typeof cell === "number"
    ? `<td class="number">${cell}</td>`
    : `<td dir="auto">${escapeXml(cell ?? "")}</td>`;

const style = `:root { color-scheme: light dark; font: 1rem/1.45 system-ui, sans-serif; }
body { margin: 2rem; }
table { border-collapse: collapse; margin: 0 0 2rem; }
caption { font-weight: bold; padding: 0.4rem 0; text-align: start; }
th, td { border: 1px solid #8888; padding: 0.3rem 0.6rem; text-align: start; vertical-align: top; }
td { white-space: pre-wrap; mso-number-format: "\\@"; }
td.number { text-align: end; mso-number-format: General; font-variant-numeric: tabular-nums; }
@media print { thead { display: table-header-group; } tr { break-inside: avoid; } }`;
