import { expect, test } from "vitest";
import { parseXml } from "./xml.ts";

test("[qualitative.exchange.hostile] an XML tree with too many elements and attributes is refused", () => {
  expect(() => parseXml('<a b="1"><c/></a>', { maxNodes: 3 })).not.toThrow();
  expect(() => parseXml('<a b="1"><c/></a>', { maxNodes: 2 })).toThrow(
    "it contains too many elements",
  );
  expect(() => parseXml('<a b="1" c="2" d="3"/>', { maxNodes: 2 })).toThrow(
    "it contains too many elements",
  );
});
