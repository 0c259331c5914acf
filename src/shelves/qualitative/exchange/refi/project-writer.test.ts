import { createWriteStream, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { generatedContent } from "../../../../../tests/fixtures/qualitative/generated-content.ts";
import { violationsIn } from "../../../../../tests/fixtures/qualitative/refi-rules.ts";
import {
  findElements,
  parseXml,
  type XmlElement,
} from "../../../../kernel/formats/containers/xml.ts";
import { openZip } from "../../../../kernel/formats/containers/zip-reader.ts";
import { createBoundary } from "../../../../kernel/paths/boundary.ts";
import { type Content, emptyContent } from "../content.ts";
import { createLossReport } from "../losses.ts";
import { renderRefiCodebook, renderRefiProject } from "./project-writer.ts";
import { writeQdpx } from "./qdpx-writer.ts";

const folder = mkdtempSync(join(tmpdir(), "lectern-standard-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const seed = 20_261_116;

const rootOf = (xml: string): XmlElement => {
  const [root] = parseXml(xml).children.filter((child) => typeof child !== "string");
  if (!root) throw new Error("There is no element.");
  return root;
};

async function packed(content: Content) {
  const path = join(folder, "any.qdpx");
  await writeQdpx(
    createBoundary({ base: folder }),
    content,
    createWriteStream(path),
    createLossReport(),
  );
  const archive = await openZip(readFileSync(path));
  rmSync(path);
  return archive;
}

test("[qualitative.exchange.standard] elements have the standard's order and required attributes", async () => {
  await fc.assert(
    fc.property(fc.gen(), (draw) => {
      const content = generatedContent(draw);

      expect(violationsIn(rootOf(renderRefiProject(content, createLossReport())))).toEqual([]);
      const book = rootOf(renderRefiCodebook(content, createLossReport()));
      expect(violationsIn(book)).toEqual([]);
      expect(book.attributes.get("xmlns")).toBe("urn:QDA-XML:codebook:1.0");
    }),
    { numRuns: 200, seed },
  );
});

test("[qualitative.exchange.standard] the rule checker detects violations", () => {
  const guid = (digit: number): string => `0000000${digit}-0000-4000-8000-000000000000`;
  const check = (inside: string): string[] =>
    violationsIn(rootOf(`<Project xmlns="urn:QDA-XML:project:1.0" name="x">${inside}</Project>`));

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

test("[qualitative.exchange.standard] positions count code points, and texts are stored in sources", async () => {
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
        mediaRanges: [],
        values: [],
      },
    ],
  };
  const archive = await packed(content);

  expect(archive.entries.map(({ name }) => name)).toEqual(["project.qde", `sources/${guid}.txt`]);
  const [selection] = findElements(
    rootOf((await archive.readText("project.qde")) ?? ""),
    "PlainTextSelection",
  );
  const [start, end] = ["startPosition", "endPosition"].map((name) =>
    Number(selection?.attributes.get(name)),
  );
  expect([start, end, selection?.attributes.get("name")]).toEqual([2, 4, "😀b"]);
  // Reading the file as UTF-8 removes the byte order mark, so positions agree.
  const read = new TextDecoder().decode(await archive.read(`sources/${guid}.txt`));
  expect([...read].slice(start, end).join("")).toBe("😀b");
});

test("[qualitative.exchange.standard] an archive follows the strictest reader's requirements", async () => {
  await fc.assert(
    fc.asyncProperty(fc.gen(), async (draw) => {
      const archive = await packed(generatedContent(draw));
      const start = Buffer.from(await archive.read("project.qde")).toString("latin1", 0, 5);

      expect(start).toBe("<?xml");
      const wrong = archive.entries.filter(
        ({ name }) => !/^(project\.qde|sources\/[0-9a-f-]{36}\.\w+)$/.test(name),
      );
      expect(wrong).toEqual([]);
      const root = rootOf((await archive.readText("project.qde")) ?? "");
      const names = new Set(archive.entries.map(({ name }) => name));
      const paths = [
        ...findElements(root, "TextSource"),
        ...findElements(root, "Note"),
        ...findElements(root, "Representation"),
      ].map(({ attributes }) =>
        attributes.get("plainTextPath")?.replace("internal://", "sources/"),
      );
      expect(paths.filter((path) => path === undefined || !names.has(path))).toEqual([]);
    }),
    { numRuns: 50, seed },
  );
});
