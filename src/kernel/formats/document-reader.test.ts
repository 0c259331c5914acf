import { expect, test } from "vitest";
import { readerWithConverters } from "../../../tests/fixtures/files/converters.ts";
import {
  createZip,
  docxParts,
  epubParts,
  odtParts,
  wordParagraph,
  wordTable,
} from "../../../tests/fixtures/files/made-files.ts";
import { madePdf } from "../../../tests/fixtures/files/made-pdf.ts";

const reader = await readerWithConverters();

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const lines = (...all: string[]): string => `${all.join("\n")}\n`;

test("plain text is returned immediately, whatever its name", async () => {
  for (const path of ["a.md", "b/README", "c.TXT", "d.e.rs", ".hidden"]) {
    expect(reader.readSync(bytesOf("# Größe"), path)).toBe("# Größe");
    expect(await reader.read(bytesOf("# Größe"), path)).toBe("# Größe");
    expect(reader.needsConversion(path)).toBe(false);
  }
  expect(() => reader.readSync(new Uint8Array([1, 0, 2]), "a.md")).toThrow("it is not text");
  await expect(reader.read(new Uint8Array([1, 0, 2]), "a.md")).rejects.toThrow("it is not text");
});

test("[core.formats.read] Org and small notebooks are converted synchronously", () => {
  expect(reader.readSync(bytesOf("#+TITLE: Plan\n* Haus"), "a.org")).toBe("# Plan\n# Haus");
  const cells = [{ cell_type: "markdown", source: "# Plan" }];
  expect(reader.readSync(bytesOf(JSON.stringify({ cells })), "a.ipynb")).toBe("# Plan\n");
  expect(() => reader.readSync(bytesOf("{"), "a.ipynb")).toThrow("it is damaged");
  for (const path of ["a.org", "a.ipynb", "x.HTML", "x.htm", "x.xhtml", "x.docx", "x.pdf"]) {
    expect([path, reader.needsConversion(path)]).toEqual([path, true]);
  }
});

test("[core.formats.read] a large notebook is converted in the child process, with the same result", async () => {
  const cells = [{ cell_type: "markdown", source: `# Plan\n\n${"word ".repeat(500_000)}end` }];
  const bytes = bytesOf(JSON.stringify({ cells }));
  expect(reader.readSync(bytes, "a.ipynb")).toBeUndefined();
  expect(await reader.read(bytes, "a.ipynb")).toMatch(/^# Plan\n\n(word )+end\n$/);
  await expect(reader.read(bytes.subarray(9), "a.ipynb")).rejects.toThrow("it is damaged");
});

test("[core.formats.read] HTML becomes Markdown, without invisible parts", async () => {
  const html = `<!doctype html><html><head><title>Öl – Site</title><style>p{}</style></head><body>
    <nav><a href="/">menu</a></nav><script>alert(1)</script>
    <h1>Öl und <em>Wasser</em></h1>
    <p>Some <b>bold</b> snake_case, <a href="https://x.org/a">a link</a>,<br><a href="#top">up</a>.</p>
    <h2>Lists</h2><ul><li>one</li><li>two<ol start="3"><li>inner</li></ol></li></ul>
    <table><caption>Yield</caption><thead><tr><th>Year</th><th>Tons</th></tr></thead>
      <tr><td><p>1990</p><p>late</p></td><td>3|4</td></tr></table>
    <pre><code class="language-js">let a = "# no heading";</code></pre>
    <p># no heading</p><img src="data:image/png;base64,AAAA" alt="a lighthouse 灯台">
    </body></html>`;
  expect(await reader.read(bytesOf(html), "a.html")).toBe(
    lines(
      ...["# Öl und *Wasser*", ""],
      ...["Some **bold** snake_case, [a link](https://x.org/a),", "up.", ""],
      ...["## Lists", "", "- one", "- two", "  3. inner", ""],
      ...["Yield", "", "| Year | Tons |", "| --- | --- |", "| 1990 late | 3\\|4 |", ""],
      ...["```js", 'let a = "# no heading";', "```", ""],
      ...["\\# no heading", "", "a lighthouse 灯台"],
    ),
  );
});

test("[core.formats.read] a page without a heading uses its title as heading", async () => {
  expect(await reader.read(bytesOf("<title>Only\n title</title><p>words"), "a.htm")).toBe(
    "# Only title\n\nwords\n",
  );
  expect(await reader.read(bytesOf("just words"), "a.html")).toBe("just words\n");
  expect(await reader.read(bytesOf(""), "a.html")).toBe("");
});

test("[core.formats.read] if a page has an article, only the article is read", async () => {
  const sentence =
    "The keeper climbed the stairs, lit the lamp, and wrote the hour into the book. ";
  const article = `<h1>The keeper</h1>${`<p>${sentence.repeat(4)}</p>`.repeat(8)}`;
  const around = `<div class="sidebar">${'<a href="/x">elsewhere</a> '.repeat(20)}</div>`;
  const text = await reader.read(
    bytesOf(`<title>Site</title><body>${around}<article>${article}</article></body>`),
    "a.html",
  );
  expect(text).toMatch(/^# The keeper\n\nThe keeper climbed/);
  expect(text).not.toContain("elsewhere");
});

test("[core.formats.read] a part that only looks like the article does not hide the rest", async () => {
  const sentence =
    "The keeper climbed the stairs, lit the lamp, and wrote the hour into the book. ";
  const reference = Array.from({ length: 300 }, (_, n) => `<dt>flag-${n}</dt><dd>does ${n}</dd>`);
  const text = await reader.read(
    bytesOf(`<body><div><p>${sentence.repeat(6)}</p></div><dl>${reference.join("")}</dl></body>`),
    "a.html",
  );
  expect(text).toContain("The keeper");
  expect(text).toContain("flag-299");
});

test("[core.formats.letters] an HTML page is decoded by its declared encoding, or by the legacy default", async () => {
  const latin = (html: string) => new Uint8Array(Buffer.from(html, "latin1"));
  const japanese = Uint8Array.from([0x93, 0xfa, 0x96, 0x7b]);
  const page = Buffer.concat([bytesOf('<meta charset="Shift_JIS"><p>'), japanese]);
  expect(await reader.read(page, "a.html")).toBe("日本\n");
  expect(await reader.read(latin("<p>Größe"), "a.html")).toBe("Größe\n");
  const xml = '<?xml version="1.0" encoding="ISO-8859-1"?><html><body><p>Größe</p></body></html>';
  expect(await reader.read(latin(xml), "a.xhtml")).toBe("Größe\n");
  const wide = Buffer.from("\ufeff<p>Größe 灯台", "utf16le");
  expect(await reader.read(wide, "a.html")).toBe("Größe 灯台\n");
});

test("[core.formats.read] an empty XHTML element has no content", async () => {
  const xhtml =
    '<html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script src="a.js"/></head><body><p>a<a id="x"/>b<br/>c</p></body></html>';
  expect(await reader.read(bytesOf(xhtml), "a.xhtml")).toBe("ab\nc\n");
});

test("[core.formats.read] a Word document keeps its headings, tables and notes", async () => {
  const note = "<w:p><w:r><w:t>Noted</w:t></w:r><w:r><w:footnoteReference w:id='1'/></w:r></w:p>";
  const body = [
    wordParagraph("Bericht über Öl", "Titel"),
    wordParagraph("Lage", "berschrift1"),
    wordParagraph("Die Größe von 灯台."),
    wordParagraph("Zahlen", "berschrift2"),
    wordTable([
      ["Jahr", "Menge"],
      ["1990", "3"],
    ]),
    note,
  ];
  expect(await reader.read(await createZip(docxParts(body.join(""), "Old title")), "a.docx")).toBe(
    lines(
      ...["# Bericht über Öl", "", "# Lage", "", "Die Größe von 灯台.", "", "## Zahlen", ""],
      ...["| Jahr | Menge |", "| --- | --- |", "| 1990 | 3 |", ""],
      ...["Noted[1]", "", "1. A note at the foot."],
    ),
  );
  const bare = await createZip(docxParts(wordParagraph("words"), "Named inside"));
  expect(await reader.read(bare, "a.docx")).toBe("# Named inside\n\nwords\n");
});

test("[core.formats.read] an OpenDocument text keeps its headings, lists and tables", async () => {
  const cell = (words: string) => `<table:table-cell><text:p>${words}</text:p></table:table-cell>`;
  const row = (...cells: string[]) =>
    `<table:table-row>${cells.map(cell).join("")}</table:table-row>`;
  const item = (inside: string) => `<text:list-item>${inside}</text:list-item>`;
  const body = `
    <text:tracked-changes><text:deletion><text:p>deleted</text:p></text:deletion></text:tracked-changes>
    <text:table-of-content><text:index-body><text:p>contents</text:p></text:index-body></text:table-of-content>
    <text:p text:style-name="P1">Der Titel</text:p>
    <text:h text:outline-level="2">Über <text:span>灯台</text:span></text:h>
    <text:p>Ein   Satz<text:s text:c="3"/>mit<text:note><text:note-citation>1</text:note-citation
      ><text:note-body><text:p>Anmerkung</text:p></text:note-body></text:note>.<text:line-break/>Zeile</text:p>
    <text:p># keine Überschrift</text:p>
    <text:list>${item(`<text:p>eins</text:p><text:list>${item("<text:p>innen</text:p>")}</text:list>`)}
      ${item("<text:p>zwei</text:p>")}</text:list>
    <table:table><table:table-header-rows>${row("A", "B")}</table:table-header-rows>${row("1", "2")}</table:table>
    <text:section><text:p><draw:frame><draw:text-box><text:p>im Kasten</text:p></draw:text-box></draw:frame></text:p></text:section>`;
  expect(await reader.read(await createZip(odtParts(body)), "a.odt")).toBe(
    lines(
      ...["# Der Titel", "", "## Über 灯台", "", "Ein Satz mit (Anmerkung).", "Zeile", ""],
      ...["\\# keine Überschrift", "", "- eins", "  - innen", "- zwei", ""],
      ...["| A | B |", "| --- | --- |", "| 1 | 2 |", "", "im Kasten"],
    ),
  );
  const bare = await createZip(odtParts("<text:p>words</text:p>", "Named inside"));
  expect(await reader.read(bare, "a.odt")).toBe("# Named inside\n\nwords\n");
});

test("[core.formats.read] an EPUB is read in spine order, under its title", async () => {
  const chapters = [
    "<h1>Erstes</h1><p>caf&eacute;&nbsp;und <a href='ch%202.xhtml'>weiter</a></p>",
    "<h1>Zweites</h1><p>灯台, <a href='https://x.org'>draußen</a></p>",
  ];
  expect(await reader.read(await createZip(epubParts(chapters, "Das Buch")), "a.epub")).toBe(
    lines(
      ...["# Das Buch", "", "# Erstes", "", "café und weiter", ""],
      ...["# Zweites", "", "灯台, [draußen](https://x.org)"],
    ),
  );
});

test("[core.formats.read] a PDF is read page by page, with its lines joined", async () => {
  const pdf = madePdf(
    [
      [
        { words: "Größe und", y: 740 },
        { words: "Infor-", x: 130, y: 740 },
        { words: "mation about it.", y: 727 },
        { words: "A new paragraph", y: 690 },
      ],
      [
        { words: "灯台の歴史", y: 700, font: "japanese" },
        { words: "# no heading", y: 640 },
      ],
    ],
    { title: "Über 灯台" },
  );
  expect(await reader.read(pdf, "a.pdf")).toBe(
    lines(
      ...["# Über 灯台", "", "## Page 1", "", "Größe und Information", "about it.", ""],
      ...["A new paragraph", "", "## Page 2", "", "灯台の歴史", "", "\\# no heading"],
    ),
  );
});

test("[core.formats.read] a PDF without a title is named after its largest line, or its file", async () => {
  const body = [720, 707, 694].map((y) => ({ words: "small letters", y }));
  const large = madePdf([[...body, { words: "The large line", y: 780, size: 20 }]]);
  expect(await reader.read(large, "b/plan.pdf")).toMatch(/^# The large line\n/);
  const plain = madePdf([body], { title: "Microsoft Word - draft7.doc" });
  expect(await reader.read(plain, "b/plan.v2.pdf")).toBe(
    "# plan.v2\n\nsmall letters\nsmall letters\nsmall letters\n",
  );
  await expect(reader.read(madePdf([[]]), "scan.pdf")).rejects.toThrow("it contains no text");
});

test("concurrent files each return their own text", async () => {
  const texts = await Promise.all(
    Array.from({ length: 40 }, (_, n) => reader.read(bytesOf(`<p>number ${n}`), `${n}.html`)),
  );
  expect(texts).toEqual(Array.from({ length: 40 }, (_, n) => `number ${n}\n`));
});

test("[core.formats.read] RTF is decoded by its own code pages, without hidden text", async () => {
  const read = (...parts: string[]) => reader.read(Buffer.from(parts.join(""), "latin1"), "a.rtf");

  expect(reader.needsConversion("a.rtf")).toBe(true);
  expect(
    await read(
      String.raw`{\rtf1\ansi{\fonttbl{\f1\fcharset128 Mincho;}}{\colortbl;\red0;}{\stylesheet{\s1 Heading;}}`,
      String.raw`{\info{\title Öl}{\author Nobody}}{\*\xmlnstbl unknown}\pard # no heading\par `,
      String.raw`\uc2 a\u228 ..b{\v secret}\v x\v0 y\constructor\valueOf1 {\v\plain z}{\field{\*\fldinst HYPERLINK "u"}{\fldrslt link}}\par`,
      "\r\n",
      String.raw`{\f1\'93\'8c\'8b\'9e} one{\footnote a note} two\~three\emdash four\-five\\\{`,
      String.raw`{\pict\bin4 }}}}}\'e4 \'E4\line z}`,
    ),
  ).toBe("# Öl\n\n\\# no heading\naäbyzlink\n東京 one (a note) two three—fourfive\\{ä ä\nz\n");
  await expect(read("{\\rtf1 never closed")).rejects.toThrow("it is truncated");
  await expect(read("no rich text")).rejects.toThrow("it is damaged");
});

test("[core.formats.read] the plain-text mode returns all of the file's words and nothing else", async () => {
  const words = (content: string | Uint8Array, path: string) =>
    reader.readPlainText(typeof content === "string" ? bytesOf(content) : content, path);

  expect(
    await words("<h1>Öl</h1><ul><li><b>a</b></li></ul><pre># b</pre><ol><li>c</ol>", "x.html"),
  ).toBe("Öl\n\n- a\n\n# b\n\n1. c\n");
  expect(await words("* Org as it is", "x.org")).toBe("* Org as it is");
  await expect(words(new Uint8Array([0x43, 0xe9]), "x.txt")).rejects.toThrow(
    "it is not text in UTF-8",
  );
  const half = madePdf([[{ words: "One", y: 700 }], [{ words: "Two", y: 700 }]], {
    objects: { 102: "(no page)" },
  });
  await expect(words(half, "x.pdf")).rejects.toThrow();
});
