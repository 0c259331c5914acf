/** Requirements of the page for searching and reading. */
export const webReading = {
  "web.reader.across":
    "links and backlinks work across collections, and so do mentions of an object",
  "web.reader.asked": "the section of the requested line is highlighted until the user scrolls",
  "web.reader.hostile": "nothing in a document or its name runs or makes a request",
  "web.reader.links": "links lead to headings, other documents and external pages, and back works",
  "web.reader.live": "the scroll position is kept when the open document changes",
  "web.reader.lost": "for a missing document, similar names are offered as links",
  "web.reader.mentions": "backlinks are shown below a document and follow the files",
  "web.reader.narrow": "everything fits 360 pixels and paper, and axe finds no issues",
  "web.reader.objects": "a mention of a typed object links to its page",
  "web.reader.outline": "the outline highlights the current heading and links to each",
  "web.reader.rendered": "Markdown is rendered, and HTML is shown as source",
  "web.reader.wiki": "a wiki link opens its document, and an unknown name stays plain text",
  "web.reader.source": "a key shows the source with line numbers, and the address keeps this view",
  "web.search.facets":
    "type, language, date and front matter filter results, and stay in the address",
  "web.search.letters": "characters typed while the page is busy are not lost",
  "web.search.more": "a long list shows its best results first and the rest on request",
  "web.search.narrow": "filters fit 360 pixels, and axe finds no issues",
  "web.search.preview": "a wide page previews the selected result, and Enter opens it at the match",
  "web.search.reasons": "a score shows on request which words contributed to it",
  "web.search.modes":
    "semantic search is available on request, and missing vectors are built from there",
};
