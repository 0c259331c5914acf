import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createFileAtomically } from "./new-file.ts";
import { openDirectory, type SafeDirectory } from "./safe-directory.ts";
import { isAbandoned, temporaryName } from "./temporary-name.ts";

function folder(): { place: string; directory: SafeDirectory } {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "lectern-new-file-")));
  const directory = openDirectory(place);
  onTestFinished(() => {
    directory.close();
    rmSync(place, { recursive: true, force: true });
  });
  return { place, directory };
}

const saying = (directory: SafeDirectory, words: string) => (fresh: string) =>
  directory.write(fresh, words);

test("a new file is put in place, and nothing is left beside it", async () => {
  const { place, directory } = folder();

  await createFileAtomically(directory, "a.txt", saying(directory, "new"));

  expect(readdirSync(place)).toEqual(["a.txt"]);
  expect(readFileSync(join(place, "a.txt"), "utf8")).toBe("new");
});

test("an existing file is kept unless replacing is requested", async () => {
  const { place, directory } = folder();
  const path = join(place, "a.txt");
  writeFileSync(path, "old");

  await expect(
    createFileAtomically(directory, "a.txt", saying(directory, "new")),
  ).rejects.toMatchObject({
    code: "EEXIST",
  });
  expect(readFileSync(path, "utf8")).toBe("old");
  await createFileAtomically(directory, "a.txt", saying(directory, "new"), { overwrite: true });
  expect(readFileSync(path, "utf8")).toBe("new");
  expect(readdirSync(place)).toEqual(["a.txt"]);
});

test("a link is replaced, not written through", async () => {
  const { place, directory } = folder();
  writeFileSync(join(place, "precious"), "mine");
  symlinkSync(join(place, "precious"), join(place, "a.txt"));

  await expect(
    createFileAtomically(directory, "a.txt", saying(directory, "new")),
  ).rejects.toMatchObject({
    code: "EEXIST",
  });
  await createFileAtomically(directory, "a.txt", saying(directory, "new"), { overwrite: true });

  expect(readFileSync(join(place, "precious"), "utf8")).toBe("mine");
  expect(readFileSync(join(place, "a.txt"), "utf8")).toBe("new");
});

test("an unfinished file leaves nothing behind", async () => {
  const { place, directory } = folder();
  const halfWritten = (fresh: string): void => {
    directory.write(fresh, "half");
    throw new Error("The disk is full.");
  };

  await expect(createFileAtomically(directory, "a.txt", halfWritten)).rejects.toThrow(
    "The disk is full.",
  );
  expect(readdirSync(place)).toEqual([]);
});

test("of two concurrent creations one succeeds with a complete file", async () => {
  const { place, directory } = folder();
  const slowly = (words: string) => async (fresh: string) => {
    directory.write(fresh, words);
    await Promise.resolve();
  };

  const both = await Promise.allSettled([
    createFileAtomically(directory, "a.txt", slowly("one")),
    createFileAtomically(directory, "a.txt", slowly("two")),
  ]);

  expect(both.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(readFileSync(join(place, "a.txt"), "utf8")).toBe("one");
  expect(readdirSync(place)).toEqual(["a.txt"]);
});

test("[core.paths.swapped] if a folder is swapped for a link while a file is created, neither the folder nor the target gets the file", async () => {
  const { place } = folder();
  for (const name of ["work", "outside"]) mkdirSync(join(place, name));
  const directory = openDirectory(join(place, "work"));
  onTestFinished(() => directory.close());
  const swapping = (fresh: string): void => {
    directory.write(fresh, "new");
    renameSync(join(place, "work"), join(place, "aside"));
    symlinkSync(join(place, "outside"), join(place, "work"));
  };

  await expect(createFileAtomically(directory, "a.txt", swapping)).rejects.toMatchObject({
    kind: "conflict",
    code: "moved",
  });
  expect(readdirSync(join(place, "outside"))).toEqual([]);
  expect(readdirSync(join(place, "aside"))).toEqual([]);
});

test("[core.paths.abandoned] the next write removes files left by a killed process, and nothing else", async () => {
  const { place, directory } = folder();
  const own = temporaryName();
  const [, machine, , start] = own.slice(1).split("-");
  const unique = own.slice(-40);
  const left = [
    `.lectern-${machine}-4000000-${start}-${unique}`,
    // The same process id, before a restart.
    `.lectern-${machine}-${process.pid}-0-${unique}`,
  ];
  const kept = [
    own,
    `.lectern-00000000-4000000-${start}-${unique}`,
    `.lectern-${machine}-${process.ppid}-${start}-${unique}`,
    ".lectern.new",
  ];
  for (const name of [...left, ...kept]) writeFileSync(join(place, name), "half");
  mkdirSync(join(place, `${left[0]?.replace(".new", ".qda")}`, "deep"), { recursive: true });

  await createFileAtomically(directory, "a.txt", saying(directory, "new"));

  expect(readdirSync(place).sort()).toEqual([...kept, "a.txt"].sort());
  expect([...left, ...kept].map(isAbandoned)).toEqual([true, true, false, false, false, false]);
});
