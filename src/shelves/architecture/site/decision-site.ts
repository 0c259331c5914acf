import { groupBy } from "../../../text/arrays/group-by.ts";
import { escapeXml } from "../../../text/formats/xml-escape.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import { decisionLabel } from "../decisions/decision-lookup.ts";
import {
  linkPathOf,
  type PlacedRecord,
  type RecordSet,
  resolveLinkPath,
} from "../decisions/record-set.ts";
import { sortByDate } from "../decisions/timeline.ts";
import { type ResolveHref, renderRecordHtml } from "./record-html.ts";

/** The pages of a static site: one per decision and an index. */
export function renderDecisionSite(
  set: RecordSet,
  textOf: (record: PlacedRecord) => string,
): Map<string, string> {
  const names = assignPageNames(set.decisions);
  const byFile = new Map(set.decisions.map((record) => [record.file, names.get(record)]));
  const pages = new Map([["index.html", renderIndexPage(set, names)]]);
  for (const record of set.decisions) {
    const body = renderRecordHtml(textOf(record), createHrefResolver(record, byFile));
    pages.set(names.get(record) ?? "", renderRecordPage(set, record, body, names));
  }
  return pages;
}

type PageNames = ReadonlyMap<PlacedRecord, string>;

/** Unique page names of safe characters: `docs/adr/0001-x.md` → `docs-adr-0001-x.html`. */
function assignPageNames(decisions: readonly PlacedRecord[]): PageNames {
  const used = new Set(["index.html"]);
  const folders = new Set(decisions.map(({ folder }) => folder));
  return new Map(
    decisions.map((record) => {
      const path = folders.size > 1 ? record.file.replace(/\.[^.]*$/, "") : record.name.stem;
      const stem =
        path
          .toLowerCase()
          .replace(/[^\p{L}\p{N}]+/gu, "-")
          .slice(0, 150) || "decision";
      let name = `${stem}.html`;
      for (let count = 2; used.has(name); count++) name = `${stem}-${count}.html`;
      used.add(name);
      return [record, name];
    }),
  );
}

function renderIndexPage(set: RecordSet, names: PageNames): string {
  const rows = set.decisions.map(
    (record) =>
      `<tr><td>${renderLink(record, names)}</td><td>${renderBadge(record)}</td><td>${escapeXml(record.date ?? "")}</td></tr>`,
  );
  const counts = new Map<string, number>();
  for (const { status } of set.decisions) {
    counts.set(status ?? "no status", (counts.get(status ?? "no status") ?? 0) + 1);
  }
  const summary = [...counts].map(([status, count]) => `${count} ${status}`).join(", ");
  return renderPage("Decisions", [
    "<h1>Decisions</h1>",
    `<p>${escapeXml(summary || "There are none.")}</p>`,
    `<table><thead><tr><th>Decision</th><th>Status</th><th>Date</th></tr></thead><tbody>${rows.join("\n")}</tbody></table>`,
    "<h2>Timeline</h2>",
    ...renderTimeline(set, names),
  ]);
}

function renderTimeline(set: RecordSet, names: PageNames): string[] {
  const years = groupBy(sortByDate(set), ({ date }) => date?.slice(0, 4) ?? "Undated");
  return [...years].map(([year, records]) => {
    const items = records.map(
      (record) =>
        `<li>${escapeXml(record.date?.slice(5) ?? "")} ${renderLink(record, names)} ${renderBadge(record)}</li>`,
    );
    return `<h3>${escapeXml(year)}</h3>\n<ul>${items.join("\n")}</ul>`;
  });
}

function renderRecordPage(
  set: RecordSet,
  record: PlacedRecord,
  body: string,
  names: PageNames,
): string {
  const linkLine = (title: string, records: readonly PlacedRecord[]): string[] =>
    records.length === 0
      ? []
      : [`<p>${title} ${records.map((other) => renderLink(other, names)).join(", ")}</p>`];
  const head = [
    '<p><a href="index.html">All decisions</a></p>',
    `<p>${renderBadge(record)} ${escapeXml(record.date ?? "")}</p>`,
    ...linkLine(
      "Superseded by",
      set.supersededBy(record).map(({ newer }) => newer),
    ),
    ...linkLine(
      "Supersedes",
      set.supersedes(record).map(({ older }) => older),
    ),
  ];
  return renderPage(decisionLabel(record), [...head, body]);
}

/** Resolves links to pages of the site and to the web; other targets are not published. */
const createHrefResolver =
  ({ folder }: PlacedRecord, pages: ReadonlyMap<string, string | undefined>): ResolveHref =>
  (written) =>
    /^https?:\/\//i.test(written)
      ? written
      : pages.get(resolveLinkPath(folder, linkPathOf(written)));

const renderLink = (record: PlacedRecord, names: PageNames): string =>
  `<a href="${encodeURI(names.get(record) ?? "")}">${escapeXml(decisionLabel(record))}</a>`;

const renderBadge = ({ status, statusRaw }: PlacedRecord): string => {
  const shown =
    status === "other" ? toPrintable(statusRaw ?? "").slice(0, 60) : (status ?? "no status");
  return `<span class="status ${status ?? "none"}">${escapeXml(shown)}</span>`;
};

/** A self-contained page without scripts. */
function renderPage(title: string, body: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeXml(title)}</title>
<style>${stylesheet}</style>
</head>
<body>
<main>
${body.join("\n")}
</main>
</body>
</html>
`;
}

const stylesheet = `
body { font: 1rem/1.6 system-ui, sans-serif; color: #1a1a1a; background: #fff; margin: 0; }
main { max-width: 48rem; margin: 0 auto; padding: 2rem 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: 0.3rem 0.5rem; border-bottom: 1px solid #ccc; vertical-align: top; }
pre { overflow-x: auto; background: #f4f4f4; padding: 0.8rem; }
blockquote { margin: 0; padding-left: 1rem; border-left: 3px solid #ccc; }
.status { border: 1px solid #777; border-radius: 0.3rem; padding: 0 0.4rem; font-size: 0.85rem; }
.accepted { background: #d3f9d8; }
.proposed { background: #fff3bf; }
.rejected { background: #ffe3e3; }
.deprecated, .superseded { background: #e9ecef; }
@media (prefers-color-scheme: dark) {
  body { color: #eee; background: #161616; }
  a { color: #8ab4ff; }
  pre { background: #242424; }
  .status { color: #1a1a1a; }
  .none, .other { color: inherit; }
}
`;
