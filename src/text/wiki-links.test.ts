import { expect, test } from "vitest";
import {
  pathOfName,
  wikiKey,
  wikiKeysOf,
  wikiLinkAt,
  wikiNamesIn,
  withWikiWords,
} from "./wiki-links.ts";

const read = (text: string) => {
  const link = wikiLinkAt(text, 0);
  return link && [link.name, link.heading, text.slice(...link.words), text.slice(link.end)];
};

test("a name, a heading and the words that are shown are told apart", () => {
  expect(read("[[B]] x")).toEqual(["B", "", "B", " x"]);
  expect(read("[[sub/C.md|the third]]")).toEqual(["sub/C.md", "", "the third", ""]);
  expect(read("[[B#A heading: one]]")).toEqual(["B", "A heading: one", "B#A heading: one", ""]);
  expect(read("[[B#^a1|it]]")).toEqual(["B", "^a1", "it", ""]);
  expect(read("[[B\\|in a table]]")).toEqual(["B", "", "in a table", ""]);
  expect(read("![[lamp.png|200]]")).toEqual(["lamp.png", "", "lamp.png", ""]);
  expect(withWikiWords("Of [[A|her]], [[B]] and [[#c]]")).toBe("Of her, B and [[#c]]");
  expect(read("[[B|]]")).toEqual(["B", "", "B", ""]);
});

test("typed objects, brackets that hold nothing and brackets that never close are none", () => {
  for (const text of ["[[#lamp]]", "[[lamp: Light]]", "[[ ]]", "[[]]", "[[B", "[B]", "[[a\nb]]"]) {
    expect(wikiLinkAt(text, 0), text).toBeUndefined();
  }
  expect(wikiNamesIn("[[A]] [[#b]] ![[ x/B ]] [[c: D]] [e](f)")).toEqual(["A", "x/B"]);
});

test("links and documents find each other by the last step of a name, whatever its case", () => {
  expect(wikiKey("Sub/\u00c4rger")).toBe("\u00e4rger");
  expect(wikiKeysOf("sub/A\u0308rger.md")).toEqual(["\u00e4rger.md", "\u00e4rger"]);
  expect(wikiKeysOf("paper.pdf")).toEqual(["paper.pdf"]);
});

test("a name means a path from the root or from the page's folder, else the nearest of that name", () => {
  const paths = ["B.md", "sub/B.md", "sub/deep/C.md", "far/off/C.md", "far/D.md", "sub/D.md"];
  const meant = (name: string, from: string) => pathOfName(name, from, paths);
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

test("a path that is nowhere, a part of a name and another ending mean nothing", () => {
  const paths = ["new/B.md", "paper.pdf"];
  for (const name of ["old/B", "ew/B", "B.txt", "paper", "./B", "/B", "../../B"]) {
    expect(pathOfName(name, "A.md", paths), name).toBeUndefined();
  }
  expect(pathOfName("paper.pdf", "A.md", paths)).toBe("paper.pdf");
  expect(pathOfName("x", "A.md", ["X.md", "x.md"])).toBe("x.md");
});
