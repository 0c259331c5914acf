import { expect, test } from "vitest";
import { toInlineNodes } from "./inline.ts";
import type { InlineNode } from "./inline-node.ts";

/** The parts in a short form: `Use <code>a*b*</code>`. */
const shown = (parts: readonly InlineNode[]): string =>
  parts
    .map((part) => {
      switch (part.kind) {
        case "text":
          return part.text;
        case "code":
          return `‹code ${part.text}›`;
        case "break":
          return "‹break›";
        case "note":
          return `‹note ${part.label}›`;
        case "wiki":
          return `‹wiki ${part.destination} ${part.text}›`;
        case "object":
          return `‹object ${part.id}›`;
        case "picture":
          return `‹picture ${part.text} ${part.destination}›`;
        case "link":
          return `‹link ${part.destination} ${shown(part.inner)}›`;
        default:
          return `‹${part.kind} ${shown(part.inner)}›`;
      }
    })
    .join("");

const check = (text: string, expected: string) =>
  expect(shown(toInlineNodes(text)), text).toBe(expected);

test("code, emphasis and links are parsed, but not inside code", () => {
  check(
    "Use `a*b*` and **one _big_** [ledger](0002-x.md) \\*here\\*.",
    "Use ‹code a*b*› and ‹strong one ‹emphasis big›› ‹link 0002-x.md ledger› *here*.",
  );
  check(
    "***both*** ~~gone~~ *a **b** c*",
    "‹emphasis ‹strong both›› ‹struck gone› ‹emphasis a ‹strong b› c›",
  );
  check("`` a ` b ``", "‹code a ` b›");
  check("*a [b*](c)*", "‹emphasis a ‹link c b*››");
});

test("links contain images, and bare URLs are links", () => {
  check("[![badge](b.svg)](x.md)", "‹link x.md ‹picture badge b.svg››");
  check(
    "<https://a.example> and https://b.example.",
    "‹link https://a.example https://a.example› and ‹link https://b.example https://b.example›.",
  );
  check("[a](<x y.md> 'T') [b](c(d).md)", "‹link x y.md a› ‹link c(d).md b›");
});

test("references are resolved, and an undefined one is text", () => {
  const definitions = new Map([["LAMP", { destination: "lamp.md", line: 1 }]]);
  expect(shown(toInlineNodes("[the lamp][lamp], [Lamp], [no]", definitions))).toBe(
    "‹link lamp.md the lamp›, ‹link lamp.md Lamp›, [no]",
  );
});

test("objects, footnotes and hard breaks are parsed, but not inside code", () => {
  check("See [[#tower.lamp]] `[[#x]]`[^1]", "See ‹object tower.lamp› ‹code [[#x]]›‹note 1›");
  check("Tower [[tower: Building]]", "Tower ‹object tower›");
  check("People [[people: __Namespace]]", "People ‹object people›");
  check("one  \ntwo\\\nthree\nfour", "one‹break›two‹break›three\nfour");
});

test("wiki links are parsed, besides typed objects, footnotes and Markdown links", () => {
  check(
    "See [[B]], *[[sub/C|it]]* ![[D.md|200]]",
    "See ‹wiki B B›, ‹emphasis ‹wiki sub/C it›› ‹wiki D.md D.md›",
  );
  check("[[B#A heading]] [[A]][[B]]", "‹wiki B#A heading B#A heading› ‹wiki A A›‹wiki B B›");
  check("[[1]](n.md) [see [[B]] here](x.md)", "‹link n.md [1]› ‹link x.md see [[B]] here›");
  check("`[[B]]` [[#b]] [[b: Kind]] \\[[B]]", "‹code [[B]]› ‹object b› ‹object b› [[B]]");
  check("[[ -f x ]] [[", "‹wiki -f x -f x› [[");
  const definitions = new Map([["B", { destination: "b.md", line: 1 }]]);
  expect(shown(toInlineNodes("[[b]]", definitions))).toBe("[‹link b.md b›]");
});

test("underscores inside words, unmatched delimiters and HTML are text", () => {
  for (const text of [
    "snake_case_name",
    "2 * 3 * 4",
    "<b onclick=x>",
    "**",
    "[a](",
    "`",
    "<img src=x onerror=alert(1)>",
    "a~b~c",
    '<a href="https://x.example">*y',
  ]) {
    check(text, text);
  }
  check("a<!-- *b* -->c `<!-- d -->` <!-- e", "ac ‹code <!-- d -->› <!-- e");
  check("&lt;b&gt; &amp; &nosuch;", "<b> & &nosuch;");
});

test("parsing any paragraph terminates", () => {
  for (const text of [
    "*a ".repeat(6_000),
    "[".repeat(19_000),
    "`".repeat(19_999),
    "**a** ".repeat(3_000),
    "[a](".repeat(4_000),
  ]) {
    expect(toInlineNodes(text).length).toBeGreaterThan(0);
  }
});
