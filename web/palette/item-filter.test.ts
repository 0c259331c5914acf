import { expect, test } from "vitest";
import { filterItems } from "./item-filter.ts";

const offer = (group: string, label: string, hint?: string) => ({
  group,
  label,
  ...(hint !== undefined && { hint }),
});
const offers = [
  offer("Review", "Accept"),
  offer("Screens", "Review"),
  offer("Screens", "Repository"),
  offer("Recent documents", "Lending and returns", "handbook/lending.md"),
  offer("Collections", "Search in handbook", "/home/ada/handbook"),
];
const labels = (typed: string) => filterItems(offers, typed).map(({ label }) => label);

test("without words all items are listed in their order", () => {
  expect(labels(" ")).toEqual(offers.map(({ label }) => label));
});

test("every word must be there, in the label, the group or the hint", () => {
  expect(labels("handbook")).toEqual(["Lending and returns", "Search in handbook"]);
  expect(labels("hand search")).toEqual(["Search in handbook"]);
  expect(labels("nothing")).toEqual([]);
});

test("a group whose label begins with what was typed comes first, and stays together", () => {
  expect(labels("re")).toEqual(["Review", "Repository", "Accept", "Lending and returns"]);
});
