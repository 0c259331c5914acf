/** What the page lets a person do who searches and reads. */
export const webReading = {
  "web.reader.across":
    "what lies in another collection is linked to and back, and so is who speaks of an object",
  "web.reader.hostile": "nothing that a document or its name holds runs, or asks anybody",
  "web.reader.links": "links lead to headings, to other documents and out, and back again",
  "web.reader.live": "a document that changes while it is read stays where it is",
  "web.reader.lost": "what may have been meant by a name that is not there is a way to it",
  "web.reader.mentions": "what links to a document is told below it, and follows the files",
  "web.reader.narrow": "everything fits 360 pixels and paper, and axe finds no barrier",
  "web.reader.objects": "a typed object that is spoken of leads to its page",
  "web.reader.outline": "the outline marks the heading that is read, and leads to each",
  "web.reader.rendered": "a page is read as it is meant, and HTML as it is written",
  "web.reader.wiki":
    "a link by a name opens that document, and an unknown name stays as it is written",
  "web.reader.source": "a key shows the source with its lines, and the address keeps it",
  "web.search.facets": "type, language, date and front matter narrow, and stay in the address",
  "web.search.letters": "a letter that is typed while the page is busy is not lost",
  "web.search.more": "a long list shows its best first, and the rest on request",
  "web.search.narrow": "filters fit 360 pixels, and axe finds no barrier",
  "web.search.preview": "a wide page shows what the list is at, and Enter opens it at the match",
  "web.search.reasons": "a score says on request which words made it",
  "web.search.ways": "meaning is looked for on request, and what it needs is made there",
};
