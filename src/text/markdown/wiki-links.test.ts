import { expect, test } from "vitest";
import {
  findWikiNames,
  resolveWikiLink,
  wikiKey,
  wikiKeysOf,
  wikiLinkAt,
  wikiLinksAsText,
} from "./wiki-links.ts";

const read = (text: string) => {
  const link = wikiLinkAt(text, 0);
  return link && [link.name, link.heading, text.slice(...link.textRange), text.slice(link.end)];
};

test("name, heading and label are separated", () => {
  expect(read("[[B]] x")).toEqual(["B", "", "B", " x"]);
  expect(read("[[sub/C.md|the third]]")).toEqual(["sub/C.md", "", "the third", ""]);
  expect(read("[[B#A heading: one]]")).toEqual(["B", "A heading: one", "B#A heading: one", ""]);
  expect(read("[[B#^a1|it]]")).toEqual(["B", "^a1", "it", ""]);
  expect(read("[[B\\|in a table]]")).toEqual(["B", "", "in a table", ""]);
  expect(read("![[lamp.png|200]]")).toEqual(["lamp.png", "", "lamp.png", ""]);
  expect(wikiLinksAsText("Of [[A|her]], [[B]] and [[#c]]")).toBe("Of her, B and [[#c]]");
  expect(read("[[B|]]")).toEqual(["B", "", "B", ""]);
});

test("typed objects, empty brackets and unclosed brackets are not wiki links", () => {
  for (const text of ["[[#lamp]]", "[[lamp: Light]]", "[[ ]]", "[[]]", "[[B", "[B]", "[[a\nb]]"]) {
    expect(wikiLinkAt(text, 0), text).toBeUndefined();
  }
  expect(findWikiNames("[[A]] [[#b]] ![[ x/B ]] [[c: D]] [e](f)")).toEqual(["A", "x/B"]);
});

test("links and documents match by the last segment of a name, case-insensitive", () => {
  expect(wikiKey("Sub/\u00c4rger")).toBe("\u00e4rger");
  expect(wikiKeysOf("sub/A\u0308rger.md")).toEqual(["\u00e4rger.md", "\u00e4rger"]);
  expect(wikiKeysOf("paper.pdf")).toEqual(["paper.pdf"]);
});

test("a name is a path from the root or from the page's folder, else the closest match", () => {
  const paths = ["B.md", "sub/B.md", "sub/deep/C.md", "far/off/C.md", "far/D.md", "sub/D.md"];
  const meant = (name: string, from: string) => resolveWikiLink(name, from, paths);
  expect(meant("B", "A.md")).toBe("B.md");
  expect(meant("b.MD", "sub/A.md")).toBe("sub/B.md");
  expect(meant("B", "far/A.md")).toBe("B.md");
  expect(meant("sub/b", "far/off/A.md")).toBe("sub/B.md");
  expect(meant("deep/C", "sub/A.md")).toBe("sub/deep/C.md");
  expect(meant("C", "far/A.md")).toBe("far/off/C.md");
  expect(meant("D", "sub/deep/A.md")).toBe("sub/D.md");
  expect(meant("D", "A.md")).toBe("far/D.md");
  expect(meant("../B", "sub/A.md")).toBe("B.md");
  expect(meant("./B", "sub/A.md")).toBe("sub/B.md");
  expect(meant("/B", "sub/A.md")).toBe("B.md");
});

test("a missing path, part of a name and another extension do not match", () => {
  const paths = ["new/B.md", "paper.pdf"];
  for (const name of ["old/B", "ew/B", "B.txt", "paper", "./B", "/B", "../../B"]) {
    expect(resolveWikiLink(name, "A.md", paths), name).toBeUndefined();
  }
  expect(resolveWikiLink("paper.pdf", "A.md", paths)).toBe("paper.pdf");
  expect(resolveWikiLink("x", "A.md", ["X.md", "x.md"])).toBe("x.md");
});
