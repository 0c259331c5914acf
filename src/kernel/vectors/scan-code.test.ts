import { expect, test } from "vitest";
import { compileScan } from "../../../scripts/vectors/compile.mjs";
import { scanCode } from "./scan-code.ts";

test("[search.vectors.code] the compiled scan code equals the build of its source, byte for byte", async () => {
  expect(await compileScan()).toBe(scanCode);
});

test("a scan that does not compile is an error with its location", async () => {
  await expect(compileScan("export function scan(): void { let a: i32 = ; }")).rejects.toThrow(
    /scan\.as cannot be compiled\.[\s\S]*scan\.ts\(1,\d+\)/,
  );
});
