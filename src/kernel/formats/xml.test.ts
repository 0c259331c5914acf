import { expect, test } from "vitest";
import { readXml } from "./xml.ts";

test("[qualitative.exchange.hostile] a tree of more elements and attributes than can be borne is refused", () => {
  expect(() => readXml('<a b="1"><c/></a>', { most: 3 })).not.toThrow();
  expect(() => readXml('<a b="1"><c/></a>', { most: 2 })).toThrow("it holds too many elements");
  expect(() => readXml('<a b="1" c="2" d="3"/>', { most: 2 })).toThrow(
    "it holds too many elements",
  );
});
