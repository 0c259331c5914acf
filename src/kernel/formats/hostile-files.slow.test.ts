import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { readerWithConverters } from "../../../tests/fixtures/files/converters.ts";
import { hostileArchives } from "../../../tests/fixtures/files/hostile-archives.ts";
import {
  createZip,
  docxParts,
  epubParts,
  odtParts,
  wordParagraph,
} from "../../../tests/fixtures/files/made-files.ts";
import { madePdf, swollenPdf } from "../../../tests/fixtures/files/made-pdf.ts";

const reader = await readerWithConverters();

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Reads a file, and checks that the next one is still read. */
async function reasonOf(bytes: Uint8Array, path: string): Promise<string> {
  const reason = await reader.read(bytes, path).then(
    (text) => `it was read: ${text.slice(0, 100)}`,
    (error: Error) => error.message,
  );
  expect(await reader.read(bytesOf("<p>still here"), "a.html")).toBe("still here\n");
  return reason;
}

test("[core.formats.damaged] a file of another type than its extension is damaged", async () => {
  for (const path of ["a.docx", "a.odt", "a.epub", "a.pdf"]) {
    for (const bytes of [bytesOf(""), bytesOf("words"), new Uint8Array(5_000)]) {
      expect([path, await reasonOf(bytes, path)]).toEqual([path, "it is damaged"]);
    }
  }
  expect(await reasonOf(new Uint8Array([60, 0, 62]), "a.html")).toBe("it is not text");
});

test("[core.formats.damaged] a truncated file is damaged", async () => {
  const files = {
    "a.docx": await createZip(docxParts(wordParagraph("words"))),
    "a.odt": await createZip(odtParts("<text:p>words</text:p>")),
    "a.epub": await createZip(epubParts(["<p>words</p>"], "Book")),
    "a.pdf": madePdf([[{ words: "words", y: 700 }]]),
  };
  for (const [path, bytes] of Object.entries(files)) {
    expect(await reader.read(bytes, path)).toContain("words");
    const half = bytes.slice(0, bytes.length / 2);
    expect([path, await reasonOf(half, path)]).toEqual([path, "it is damaged"]);
  }
});

test("[core.formats.damaged] an archive with missing or broken parts is damaged", async () => {
  const { "word/document.xml": _, ...bodiless } = docxParts("");
  expect(await reasonOf(await createZip(bodiless), "a.docx")).toBe("it is damaged");
  expect(await reasonOf(await createZip(docxParts("<w:p>")), "a.docx")).toBe("it is damaged");
  expect(await reasonOf(await createZip(odtParts("<text:p>")), "a.odt")).toBe("it is damaged");
  expect(await reasonOf(await createZip({ mimetype: "x" }), "a.odt")).toBe("it is damaged");
  const { "OEBPS/Text/ch 1.xhtml": __, ...chapterless } = epubParts(["<p>a"], "Book");
  expect(await reasonOf(await createZip(chapterless), "a.epub")).toBe("it is damaged");
});

test("one damaged byte anywhere in a file gives a text or an error", async () => {
  const files = {
    "a.docx": await createZip(docxParts(wordParagraph("words"))),
    "a.epub": await createZip(epubParts(["<p>words</p>"], "Book")),
    "a.pdf": madePdf([[{ words: "words", y: 700 }]]),
  };
  const outcomes = new Set<string>();
  for (const [path, bytes] of Object.entries(files)) {
    for (let at = 3; at < bytes.length; at += 41) {
      const changed = bytes.slice();
      changed[at] = (changed[at] ?? 0) ^ 0x55;
      const outcome = await reader.read(changed, path).then(
        () => "read",
        (error: Error) => error.message,
      );
      outcomes.add(outcome);
    }
  }
  expect([...outcomes].filter((words) => !/^(read|it [a-z ]+)$/.test(words))).toEqual([]);
  expect([...outcomes]).toEqual(expect.arrayContaining(["read", "it is damaged"]));
});

test("[core.formats.locked] a password-protected file is reported as such", async () => {
  const locked = "it is password-protected";
  expect(await reasonOf(madePdf([[{ words: "x", y: 9 }]], { locked: true }), "a.pdf")).toBe(locked);
  const container = Buffer.concat([
    Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
    Buffer.alloc(1_000),
    Buffer.from("EncryptedPackage", "utf16le"),
  ]);
  expect(await reasonOf(container, "a.docx")).toBe(locked);
  const manifest = `<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">
    <m:file-entry m:full-path="content.xml"><m:encryption-data/></m:file-entry></m:manifest>`;
  const odt = await createZip({ ...odtParts(""), "META-INF/manifest.xml": manifest });
  expect(await reasonOf(odt, "a.odt")).toBe(locked);
  const encryption = (algorithm: string) =>
    `<encryption><EncryptedData><EncryptionMethod Algorithm="${algorithm}"/></EncryptedData></encryption>`;
  const sold = {
    ...epubParts(["<p>a"], "Book"),
    "META-INF/encryption.xml": encryption("http://www.w3.org/2001/04/xmlenc#aes128-cbc"),
  };
  expect(await reasonOf(await createZip(sold), "a.epub")).toBe("it is protected by DRM");
  const fonts = {
    ...epubParts(["<p>words"], "Book"),
    "META-INF/encryption.xml": encryption("http://www.idpf.org/2008/embedding"),
  };
  expect(await reader.read(await createZip(fonts), "a.epub")).toContain("words");
});

test("[core.formats.bomb] an archive that unpacks to far more than its size is refused", async () => {
  const much = " ".repeat(50_000_000);
  const refusal = "it unpacks to far more than its size";
  const docx = await createZip(docxParts(wordParagraph(much)));
  expect(docx.length).toBeLessThan(100_000);
  expect(await reasonOf(docx, "a.docx")).toBe(refusal);
  expect(await reasonOf(await createZip(odtParts(much)), "a.odt")).toBe(refusal);
  expect(await reasonOf(await createZip(epubParts([much], "Book")), "a.epub")).toBe(refusal);
  const many = Array.from({ length: 20 }, () => `<p>${" ".repeat(7_000_000)}</p>`);
  expect(await reasonOf(await createZip(epubParts(many, "Book")), "a.epub")).toBe(refusal);
  const crowded = Buffer.from(await createZip({ a: "" }));
  crowded.writeUInt16LE(60_000, crowded.lastIndexOf("PK\x05\x06") + 10);
  expect(await reasonOf(crowded, "a.docx")).toBe(refusal);
});

test("[core.formats.bomb] an archive with false sizes is detected while it is unpacked", async () => {
  const bytes = Buffer.from(await createZip(odtParts(" ".repeat(20_000_000))));
  const place = bytes.lastIndexOf("content.xml") - 46 + 24;
  expect(bytes.readUInt32LE(place)).toBeGreaterThan(20_000_000);
  bytes.writeUInt32LE(100, place);
  expect(await reasonOf(bytes, "a.odt")).toBe("it is damaged");
});

test("[core.formats.bomb] a PDF that unpacks endlessly fails alone", async () => {
  const pdf = swollenPdf(1_200_000_000);
  expect(await reasonOf(pdf, "a.pdf")).toMatch(/^it takes too (much memory|long) to read$/);
});

test("[core.formats.entities] entities defined in a file are never expanded", async () => {
  const laughs = `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>`;
  const outside = `<!DOCTYPE x [<!ENTITY b SYSTEM "file:///etc/hostname">]>`;
  for (const type of [laughs, outside]) {
    const odt = { ...odtParts(""), "content.xml": `${type}<x>&b;</x>` };
    expect(await reasonOf(await createZip(odt), "a.odt")).toBe("it is damaged");
    const docx = docxParts(wordParagraph("&b;"));
    const body = docx["word/document.xml"]?.replace(/^<\?xml.*\?>/, type) ?? "";
    expect(await reasonOf(await createZip({ ...docx, "word/document.xml": body }), "a.docx")).toBe(
      "it is damaged",
    );
    expect(await reader.read(bytesOf(`${type}<html><body><p>&b;`), "a.xhtml")).toBe("&b;\n");
  }
});

test("[core.formats.damaged] excessive nesting is reported as such", async () => {
  const deep = "<text:section>".repeat(50_000) + "</text:section>".repeat(50_000);
  expect(await reasonOf(await createZip(odtParts(deep)), "a.odt")).toBe("it is nested too deeply");
  const runs = "<w:p>".repeat(50_000) + "</w:p>".repeat(50_000);
  expect(await reasonOf(await createZip(docxParts(runs)), "a.docx")).toBe(
    "it is nested too deeply",
  );
});

test("[core.formats.offline] nothing that a file refers to is downloaded", async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.end("fetched");
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const html = `<!DOCTYPE html SYSTEM "${url}/dtd"><html><head><base href="${url}">
    <link rel="stylesheet" href="${url}/css"><script src="${url}/js"></script></head>
    <body><p>words</p><img src="${url}/img"><iframe src="${url}/frame"></iframe></body></html>`;
  expect(await reader.read(bytesOf(html), "a.html")).toBe("words\n");
  const drawing = `<w:p><w:r><w:t>words</w:t></w:r><w:r><w:drawing><wp:inline
    xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><a:graphic
    xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData><pic:pic
    xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill><a:blip
    xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:link="r9"
    /></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;
  const parts = docxParts(drawing);
  const relations = parts["word/_rels/document.xml.rels"]?.replace(
    "</Relationships>",
    `<Relationship Id="r9" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="${url}/pic" TargetMode="External"/></Relationships>`,
  );
  const docx = await createZip({ ...parts, "word/_rels/document.xml.rels": relations ?? "" });
  expect(await reader.read(docx, "a.docx")).toBe("words\n");
  server.close();
  expect(asked).toEqual([]);
});

test("[core.formats.damaged] each hostile archive gives one reason", async () => {
  for (const [name, bytes] of await hostileArchives()) {
    for (const path of ["a.docx", "a.odt", "a.epub"]) {
      expect([name, await reasonOf(bytes, path)]).toEqual([name, "it is damaged"]);
    }
  }
});
