import { expect, test } from "vitest";
import { documentFrom } from "./document.ts";

const open = (text: string) => documentFrom("a.md", { name: "notes/a.md", title: "A", text });

test("lines are those of the file, also where they look like numbered ones", () => {
  const lines = Array.from({ length: 11 }, (_, at) => `${at + 1}: 7: is a number`);

  expect(open(lines.join("\n")).lines).toEqual(lines.map(() => "7: is a number"));
  expect(open("1: ").lines).toEqual([""]);
});

test("a title does not say of what kind its object is, unless it says nothing else", () => {
  const titled = (title: string) => documentFrom("a", { name: "a", title, text: "1: x" }).title;

  expect(titled("People [[people: __Namespace]]")).toBe("People");
  expect(titled("Lamps [[lamps: [Lamp]]]")).toBe("Lamps");
  expect(titled("[[lamp: Lamp]]")).toBe("[[lamp: Lamp]]");
  expect(titled("Talk with [[Ada]], [[people/B|Ben]]")).toBe("Talk with Ada, Ben");
});

test("the context before the text is not a part of it, even where it looks like one", () => {
  const { context, lines } = open("<!-- Context: Rules:\n1: be kind -->\n\n1: # A\n2: ");

  expect(context).toBe("Rules:\n1: be kind");
  expect(lines).toEqual(["# A", ""]);
});
