import { groupedBy } from "../../text/grouped.ts";
import { inMarkup } from "../../text/markup.ts";
import { visible } from "../../text/visible.ts";
import { calledBy } from "./asked-record.ts";
import { timelineOf } from "./chronicle.ts";
import { inFolder, type PlacedRecord, pathOf, type RecordSet } from "./record-set.ts";
import { bodyHtml, type Href } from "./site-text.ts";

/** The pages of a static site: a page for each decision, and one that lists them. */
export function siteOf(
  set: RecordSet,
  textOf: (record: PlacedRecord) => string,
): Map<string, string> {
  const names = pageNames(set.decisions);
  const byFile = new Map(set.decisions.map((record) => [record.file, names.get(record)]));
  const pages = new Map([["index.html", indexPage(set, names)]]);
  for (const record of set.decisions) {
    const body = bodyHtml(textOf(record), hrefsFrom(record, byFile));
    pages.set(names.get(record) ?? "", recordPage(set, record, body, names));
  }
  return pages;
}

type Names = ReadonlyMap<PlacedRecord, string>;

/** `docs/adr/0001-x.md` → `docs-adr-0001-x.html`; only safe letters, and no name twice. */
function pageNames(decisions: readonly PlacedRecord[]): Names {
  const taken = new Set(["index.html"]);
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
      for (let count = 2; taken.has(name); count++) name = `${stem}-${count}.html`;
      taken.add(name);
      return [record, name];
    }),
  );
}

function indexPage(set: RecordSet, names: Names): string {
  const rows = set.decisions.map(
    (record) =>
      `<tr><td>${linkTo(record, names)}</td><td>${badge(record)}</td><td>${inMarkup(record.date ?? "")}</td></tr>`,
  );
  const counts = new Map<string, number>();
  for (const { status } of set.decisions) {
    counts.set(status ?? "no status", (counts.get(status ?? "no status") ?? 0) + 1);
  }
  const told = [...counts].map(([status, count]) => `${count} ${status}`).join(", ");
  return page("Decisions", [
    "<h1>Decisions</h1>",
    `<p>${inMarkup(told || "There are none.")}</p>`,
    `<table><thead><tr><th>Decision</th><th>Status</th><th>Date</th></tr></thead><tbody>${rows.join("\n")}</tbody></table>`,
    "<h2>Timeline</h2>",
    ...timelineHtml(set, names),
  ]);
}

function timelineHtml(set: RecordSet, names: Names): string[] {
  const years = groupedBy(timelineOf(set), ({ date }) => date?.slice(0, 4) ?? "No date");
  return [...years].map(([year, records]) => {
    const items = records.map(
      (record) =>
        `<li>${inMarkup(record.date?.slice(5) ?? "")} ${linkTo(record, names)} ${badge(record)}</li>`,
    );
    return `<h3>${inMarkup(year)}</h3>\n<ul>${items.join("\n")}</ul>`;
  });
}

function recordPage(set: RecordSet, record: PlacedRecord, body: string, names: Names): string {
  const said = (title: string, records: readonly PlacedRecord[]): string[] =>
    records.length === 0
      ? []
      : [`<p>${title} ${records.map((other) => linkTo(other, names)).join(", ")}</p>`];
  const head = [
    '<p><a href="index.html">All decisions</a></p>',
    `<p>${badge(record)} ${inMarkup(record.date ?? "")}</p>`,
    ...said(
      "Superseded by",
      set.supersededBy(record).map(({ newer }) => newer),
    ),
    ...said(
      "Supersedes",
      set.supersedes(record).map(({ older }) => older),
    ),
  ];
  return page(calledBy(record), [...head, body]);
}

/** To pages of the site and to the web; what else a record names is not there. */
const hrefsFrom =
  ({ folder }: PlacedRecord, pages: ReadonlyMap<string, string | undefined>): Href =>
  (written) =>
    /^https?:\/\//i.test(written) ? written : pages.get(inFolder(folder, pathOf(written)));

const linkTo = (record: PlacedRecord, names: Names): string =>
  `<a href="${encodeURI(names.get(record) ?? "")}">${inMarkup(calledBy(record))}</a>`;

const badge = ({ status, statusRaw }: PlacedRecord): string => {
  const shown =
    status === "other" ? visible(statusRaw ?? "").slice(0, 60) : (status ?? "no status");
  return `<span class="status ${status ?? "none"}">${inMarkup(shown)}</span>`;
};

/** A page that needs no other file and runs nothing. */
function page(title: string, body: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${inMarkup(title)}</title>
<style>${look}</style>
</head>
<body>
<main>
${body.join("\n")}
</main>
</body>
</html>
`;
}

const look = `
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
