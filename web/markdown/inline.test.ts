import { expect, test } from "vitest";
import { inlineOf } from "./inline.ts";
import type { Inline } from "./inline-part.ts";

/** The parts in a short form: `Use <code>a*b*</code>`. */
const shown = (parts: readonly Inline[]): string =>
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
  expect(shown(inlineOf(text)), text).toBe(expected);

test("code, emphasis and links are read; what stands in code is left alone", () => {
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

test("links hold pictures, and addresses stand for themselves", () => {
  check("[![badge](b.svg)](x.md)", "‹link x.md ‹picture badge b.svg››");
  check(
    "<https://a.example> and https://b.example.",
    "‹link https://a.example https://a.example› and ‹link https://b.example https://b.example›.",
  );
  check("[a](<x y.md> 'T') [b](c(d).md)", "‹link x y.md a› ‹link c(d).md b›");
});

test("references are looked up, and one that is defined nowhere is text", () => {
  const definitions = new Map([["LAMP", { destination: "lamp.md", line: 1 }]]);
  expect(shown(inlineOf("[the lamp][lamp], [Lamp], [no]", definitions))).toBe(
    "‹link lamp.md the lamp›, ‹link lamp.md Lamp›, [no]",
  );
});

test("objects, notes and hard breaks are read, and not in code", () => {
  check("See [[#tower.lamp]] `[[#x]]`[^1]", "See ‹object tower.lamp› ‹code [[#x]]›‹note 1›");
  check("Tower [[tower: Building]]", "Tower ‹object tower›");
  check("People [[people: __Namespace]]", "People ‹object people›");
  check("one  \ntwo\\\nthree\nfour", "one‹break›two‹break›three\nfour");
});

test("links by names are read; typed objects, notes and links of Markdown's own keep theirs", () => {
  check(
    "See [[B]], *[[sub/C|it]]* ![[D.md|200]]",
    "See ‹wiki B B›, ‹emphasis ‹wiki sub/C it›› ‹wiki D.md D.md›",
  );
  check("[[B#A heading]] [[A]][[B]]", "‹wiki B#A heading B#A heading› ‹wiki A A›‹wiki B B›");
  check("[[1]](n.md) [see [[B]] here](x.md)", "‹link n.md [1]› ‹link x.md see [[B]] here›");
  check("`[[B]]` [[#b]] [[b: Kind]] \\[[B]]", "‹code [[B]]› ‹object b› ‹object b› [[B]]");
  check("[[ -f x ]] [[", "‹wiki -f x -f x› [[");
  const definitions = new Map([["B", { destination: "b.md", line: 1 }]]);
  expect(shown(inlineOf("[[b]]", definitions))).toBe("[‹link b.md b›]");
});

test("underscores within words, lone signs and HTML are letters", () => {
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

test("no paragraph is read for ever, however it is made", () => {
  for (const text of [
    "*a ".repeat(6_000),
    "[".repeat(19_000),
    "`".repeat(19_999),
    "**a** ".repeat(3_000),
    "[a](".repeat(4_000),
  ]) {
    expect(inlineOf(text).length).toBeGreaterThan(0);
  }
});
