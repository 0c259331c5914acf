import { createWriteStream, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { generatedContent } from "../../../../tests/fixtures/generated-content.ts";
import { breaches } from "../../../../tests/fixtures/refi-rules.ts";
import { makeBoundary } from "../../../kernel/boundary.ts";
import { elementsNamed, readXml, type XmlElement } from "../../../kernel/formats/xml.ts";
import { openArchive } from "../../../kernel/formats/zip.ts";
import { type Content, emptyContent } from "./content.ts";
import { keepLosses } from "./losses.ts";
import { packQdpx } from "./packing.ts";
import { refiCodeBook, refiProject } from "./refi-writing.ts";

const folder = mkdtempSync(join(tmpdir(), "lectern-standard-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const seed = 20_261_116;

const rootOf = (xml: string): XmlElement => {
  const [root] = readXml(xml).children.filter((child) => typeof child !== "string");
  if (!root) throw new Error("There is no element.");
  return root;
};

async function packed(content: Content) {
  const path = join(folder, "any.qdpx");
  await packQdpx(makeBoundary({ base: folder }), content, createWriteStream(path), keepLosses());
  const archive = await openArchive(readFileSync(path));
  rmSync(path);
  return archive;
}

test("[qualitative.exchange.standard] elements stand in the standard's order with what they need", () => {
  fc.assert(
    fc.property(fc.gen(), (draw) => {
      const content = generatedContent(draw);

      expect(breaches(rootOf(refiProject(content, keepLosses())))).toEqual([]);
      const book = rootOf(refiCodeBook(content, keepLosses()));
      expect(breaches(book)).toEqual([]);
      expect(book.attributes.get("xmlns")).toBe("urn:QDA-XML:codebook:1.0");
    }),
    { numRuns: 200, seed },
  );
});

test("[qualitative.exchange.standard] the rules see what is against them", () => {
  const guid = (digit: number): string => `0000000${digit}-0000-4000-8000-000000000000`;
  const check = (inside: string): string[] =>
    breaches(rootOf(`<Project xmlns="urn:QDA-XML:project:1.0" name="x">${inside}</Project>`));

  expect(check("<Sources/><CodeBook/>")).toEqual(["Project: order Sources CodeBook"]);
  expect(check(`<Users><User guid="{1}"/></Users>`)).toEqual(['User guid="{1}"']);
  expect(check(`<CodeBook><Codes><Code guid="${guid(1)}" name="a"/></Codes></CodeBook>`)).toEqual([
    "Code lacks isCodable",
  ]);
  expect(check(`<Coding guid="${guid(1)}"/>`)).toEqual(["Project: order Coding"]);
  expect(
    check(
      `<Sets><Set guid="${guid(1)}" name="a"><MemberSource targetGUID="${guid(2)}"/></Set></Sets>`,
    ),
  ).toEqual(["MemberSource leads nowhere"]);
});

test("[qualitative.exchange.standard] positions count code points, and texts lie in sources", async () => {
  const guid = "0000000a-0000-4000-8000-000000000001";
  const text = "\uFEFFa😀b\r\n中";
  const content: Content = {
    ...emptyContent("Counting"),
    codes: [
      {
        guid: guid.replace("a", "b"),
        name: "c",
        memo: "",
        color: "#ff0000",
        parent: null,
        category: null,
      },
    ],
    sources: [
      {
        guid,
        name: "s",
        memo: "",
        owner: undefined,
        date: undefined,
        kind: "text",
        text,
        file: null,
        folder: null,
        transcript: null,
        passages: [
          {
            guid: guid.replace("a", "c"),
            code: guid.replace("a", "b"),
            memo: "",
            owner: undefined,
            date: undefined,
            start: 2,
            end: 4,
          },
        ],
        annotations: [],
        areas: [],
        stretches: [],
        values: [],
      },
    ],
  };
  const archive = await packed(content);

  expect(archive.parts.map(({ name }) => name)).toEqual(["project.qde", `sources/${guid}.txt`]);
  const [selection] = elementsNamed(
    rootOf((await archive.text("project.qde")) ?? ""),
    "PlainTextSelection",
  );
  const [start, end] = ["startPosition", "endPosition"].map((name) =>
    Number(selection?.attributes.get(name)),
  );
  expect([start, end, selection?.attributes.get("name")]).toEqual([2, 4, "😀b"]);
  // Who reads the file as UTF-8 takes the first mark away, and counts as we do.
  const read = new TextDecoder().decode(await archive.read(`sources/${guid}.txt`));
  expect([...read].slice(start, end).join("")).toBe("😀b");
});

test("[qualitative.exchange.standard] an archive is spelled as the strictest reader wants it", async () => {
  await fc.assert(
    fc.asyncProperty(fc.gen(), async (draw) => {
      const archive = await packed(generatedContent(draw));
      const start = Buffer.from(await archive.read("project.qde")).toString("latin1", 0, 5);

      expect(start).toBe("<?xml");
      const wrong = archive.parts.filter(
        ({ name }) => !/^(project\.qde|sources\/[0-9a-f-]{36}\.\w+)$/.test(name),
      );
      expect(wrong).toEqual([]);
      const root = rootOf((await archive.text("project.qde")) ?? "");
      const names = new Set(archive.parts.map(({ name }) => name));
      const paths = [
        ...elementsNamed(root, "TextSource"),
        ...elementsNamed(root, "Note"),
        ...elementsNamed(root, "Representation"),
      ].map(({ attributes }) =>
        attributes.get("plainTextPath")?.replace("internal://", "sources/"),
      );
      expect(paths.filter((path) => path === undefined || !names.has(path))).toEqual([]);
    }),
    { numRuns: 50, seed },
  );
});
