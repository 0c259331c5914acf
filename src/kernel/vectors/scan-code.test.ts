import { expect, test } from "vitest";
import { compileScan } from "../../../scripts/vectors/compile.mjs";
import { scanCode } from "./scan-code.ts";

test("[search.vectors.code] the code of the scan is what its source gives, byte for byte", async () => {
  expect(await compileScan()).toBe(scanCode);
});

test("a scan that cannot be compiled is an error with the place of the mistake", async () => {
  await expect(compileScan("export function scan(): void { let a: i32 = ; }")).rejects.toThrow(
    /scan\.as cannot be compiled\.[\s\S]*scan\.ts\(1,\d+\)/,
  );
});
