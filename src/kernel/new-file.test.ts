import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeFile } from "./new-file.ts";

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "lectern-new-file-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

const saying = (words: string) => (fresh: string) => writeFileSync(fresh, words);

test("a new file takes its place, and nothing is left beside it", async () => {
  const place = folder();

  await makeFile(join(place, "a.txt"), saying("new"));

  expect(readdirSync(place)).toEqual(["a.txt"]);
  expect(readFileSync(join(place, "a.txt"), "utf8")).toBe("new");
});

test("a file that is there stays, unless it shall be replaced", async () => {
  const place = folder();
  const path = join(place, "a.txt");
  writeFileSync(path, "old");

  await expect(makeFile(path, saying("new"))).rejects.toMatchObject({ code: "EEXIST" });
  expect(readFileSync(path, "utf8")).toBe("old");
  await makeFile(path, saying("new"), { overwrite: true });
  expect(readFileSync(path, "utf8")).toBe("new");
  expect(readdirSync(place)).toEqual(["a.txt"]);
});

test("a link is replaced, and not written through", async () => {
  const place = folder();
  writeFileSync(join(place, "precious"), "mine");
  symlinkSync(join(place, "precious"), join(place, "a.txt"));

  await expect(makeFile(join(place, "a.txt"), saying("new"))).rejects.toMatchObject({
    code: "EEXIST",
  });
  await makeFile(join(place, "a.txt"), saying("new"), { overwrite: true });

  expect(readFileSync(join(place, "precious"), "utf8")).toBe("mine");
  expect(readFileSync(join(place, "a.txt"), "utf8")).toBe("new");
});

test("what cannot be finished leaves nothing behind", async () => {
  const place = folder();
  const halfWritten = (fresh: string): void => {
    writeFileSync(fresh, "half");
    throw new Error("The disk is full.");
  };

  await expect(makeFile(join(place, "a.txt"), halfWritten)).rejects.toThrow("The disk is full.");
  expect(readdirSync(place)).toEqual([]);
});

test("of two that make one file at once, one is first and whole", async () => {
  const place = folder();
  const slowly = (words: string) => async (fresh: string) => {
    writeFileSync(fresh, words);
    await Promise.resolve();
  };

  const both = await Promise.allSettled([
    makeFile(join(place, "a.txt"), slowly("one")),
    makeFile(join(place, "a.txt"), slowly("two")),
  ]);

  expect(both.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(readFileSync(join(place, "a.txt"), "utf8")).toBe("one");
  expect(readdirSync(place)).toEqual(["a.txt"]);
});
