import { expect, test } from "vitest";
import { cpuMs } from "../../../tests/fixtures/cpu-time.ts";
import { documentTitle, splitSections } from "../markdown/headings.ts";
import { splitLines } from "../strings/lines.ts";
import { orgToMarkdown } from "./org-mode.ts";

const check = (org: string, markdown: string) => expect(orgToMarkdown(org)).toBe(markdown);

test("stars become headings, and a title is the first of them", () => {
  check(
    "#+TITLE: Große Pläne\n* TODO Haus   :bau:\n** Dach\ntext\n*kein* Titel\n******** tief",
    "# Große Pläne\n# TODO Haus :bau:\n## Dach\ntext\n*kein* Titel\n###### tief",
  );
  expect(documentTitle(splitLines(orgToMarkdown("* First\n#+title: Named")), "x.org")).toBe(
    "First",
  );
  expect(documentTitle(splitLines(orgToMarkdown("#+title: Named\n* First")), "x.org")).toBe(
    "Named",
  );
});

test("code stays code, with its language and without Org's commas", () => {
  check(
    "#+BEGIN_SRC python :results output\n# a comment\n,* not a heading\n#+END_SRC\n* Next",
    "````python\n# a comment\n* not a heading\n````\n# Next",
  );
  const sections = splitSections(
    splitLines(orgToMarkdown("#+begin_example\n* a\n#+end_example\n* B")),
  );
  expect(sections.flatMap(({ headings }) => headings)).toEqual(["B"]);
});

test("an unclosed block does not hide the rest", () => {
  check("#+begin_src sh\nls\n* Next\nwords", "\nls\n# Next\nwords");
});

test("quotes are kept, comments are removed", () => {
  check(
    "#+begin_quote\nto be\n#+end_quote\n# a comment\n#+begin_comment\nsecret\n#+end_comment\nend",
    "\n> to be\n\n\n\n\n\nend",
  );
});

test("drawers are removed, and an unclosed one is text", () => {
  check("* A\n:PROPERTIES:\n:ID: 1\n:END:\nwords", "# A\n\n\n\nwords");
  check("* A\n:LOGBOOK:\nwords\n* B\n:END:", "# A\n:LOGBOOK:\nwords\n# B\n:END:");
});

test("links, inline code, tables and settings", () => {
  check(
    "see [[https://x.org/a][the page]] and [[file:b.org]]",
    "see [the page](https://x.org/a) and file:b.org",
  );
  check("call =f(x)= or ~g~, a=b and c=d", "call `f(x)` or `g`, a=b and c=d");
  check("| a | b |\n|---+---|\n| 1 | 2 |", "| a | b |\n|---|---|\n| 1 | 2 |");
  check("#+AUTHOR: Ada\n#+OPTIONS: toc:nil\n: fixed", "Ada\n\n    fixed");
});

test("every line keeps its line number", () => {
  const org = "#+TITLE: x\r\n:D:\r\n:END:\r\n#+begin_src\r\na\r\n#+end_src\r\n* H\r\n# c";
  expect(splitLines(orgToMarkdown(org))).toHaveLength(splitLines(org).length);
});

test("hostile texts are converted in linear time", () => {
  const started = cpuMs();
  for (const unit of [
    "#+begin_src\n",
    ":A:\n",
    "[[",
    "=a ",
    "*",
    "|-",
    "=",
    "#+end_x\n#+begin_x\n",
  ]) {
    orgToMarkdown(unit.repeat(100_000));
  }
  for (const start of ["=a", "* ", "#+title:", "| -", ": ", "[[a", "#+begin_src "]) {
    orgToMarkdown(`${start}${" ".repeat(100_000)}${"x ".repeat(100_000)}\u2028`);
  }
  expect(cpuMs() - started).toBeLessThan(5_000);
});
