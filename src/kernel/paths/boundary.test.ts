import { execFileSync } from "node:child_process";
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Worker } from "node:worker_threads";
import { afterAll, expect, test } from "vitest";
import { badPaths } from "../../../tests/fixtures/inputs/bad-paths.ts";
import { Failure } from "../failure.ts";
import { containsPath, createBoundary } from "./boundary.ts";

const top = realpathSync(mkdtempSync(join(tmpdir(), "lectern-boundary-")));
afterAll(() => rmSync(top, { recursive: true, force: true }));

let counter = 0;

/** A root with a document; next to it a secret, and a sibling folder with the same name prefix. */
function ground() {
  const place = join(top, `ground-${counter++}`);
  const [root, outside, sibling] = ["root", "outside", "root-evil"].map((name) => {
    mkdirSync(join(place, name), { recursive: true });
    return join(place, name);
  }) as [string, string, string];
  mkdirSync(join(root, "notes"));
  writeFileSync(join(root, "notes", "a.md"), "inside");
  writeFileSync(join(outside, "secret.md"), "SECRET");
  writeFileSync(join(sibling, "secret.md"), "SECRET");
  return { place, root, outside, sibling, fenced: createBoundary({ base: root, forceRoot: root }) };
}

function failureOf(work: () => unknown): { kind: string; code: string; message: string } {
  try {
    work();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error("It did not fail.");
}

test("[core.boundary.holds] a folder is allowed only if every component of its path stays inside", () => {
  const { root, outside, sibling, fenced } = ground();
  symlinkSync(outside, join(root, "way-out"));
  symlinkSync(join(root, "notes"), join(root, "alias"));

  for (const folder of [root, join(root, "notes"), join(root, "alias"), join(root, "gone")]) {
    expect([folder, fenced.allowsFolder(folder)]).toEqual([folder, true]);
  }
  for (const folder of [outside, sibling, join(root, ".."), join(root, "way-out", "deeper")]) {
    expect([folder, fenced.allowsFolder(folder)]).toEqual([folder, false]);
  }
  expect(createBoundary({ base: root }).allowsFolder(outside)).toBe(true);
});

test("a relative path starts at the base, and links are resolved", () => {
  const { root } = ground();
  symlinkSync(join(root, "notes"), join(root, "alias"));
  const boundary = createBoundary({ base: root });

  expect(boundary.resolvePath("notes/a.md")).toBe(join(root, "notes", "a.md"));
  expect(boundary.resolvePath("./alias/../notes//a.md")).toBe(join(root, "notes", "a.md"));
  expect(boundary.resolvePath("alias/a.md")).toBe(join(root, "notes", "a.md"));
  expect(boundary.resolvePath(join(root, "alias"))).toBe(join(root, "notes"));
});

test("a relative path may start at another folder, and is displayed as given", () => {
  const { root, outside, fenced } = ground();
  const notes = join(root, "notes");

  expect(fenced.resolvePath("a.md", notes)).toBe(join(notes, "a.md"));
  expect(fenced.resolvePath(join(root, "notes"), outside)).toBe(notes);
  for (const given of ["../../outside/secret.md", "../../outside/none"]) {
    const { message } = failureOf(() => fenced.resolvePath(given, notes));
    expect(message).toBe(`'${given}' is outside the root.`);
  }
});

test("`~/` is the home of the server's user", () => {
  expect(createBoundary({ base: top }).resolvePath("~/")).toBe(
    realpathSync(process.env.HOME ?? "/"),
  );
});

test("without a force root a caller's path is trusted, and a missing one is not found", () => {
  const { root, outside } = ground();
  const boundary = createBoundary({ base: root });

  expect(boundary.resolvePath("../outside/secret.md")).toBe(join(outside, "secret.md"));
  expect(boundary.assertAllowed(outside)).toBe(outside);
  expect(failureOf(() => boundary.resolvePath("notes/b.md"))).toMatchObject({
    kind: "not-found",
    message: "Not found: 'notes/b.md'.",
  });
});

test("[core.boundary.malformed] a path that is empty, too long or contains NUL is invalid", () => {
  const { fenced } = ground();
  for (const given of ["", "   ", "notes/a.md\0", "x".repeat(5_000), "y".repeat(300)]) {
    expect(failureOf(() => fenced.resolvePath(given)).kind).toBe("invalid");
  }
});

test("[core.boundary.force-root] under a force root, paths inside it are accepted and all others are refused", () => {
  const { root, outside, sibling, fenced } = ground();
  symlinkSync(outside, join(root, "link-to-folder"));
  symlinkSync(join(outside, "secret.md"), join(root, "link-to-file.md"));
  symlinkSync("link-to-folder", join(root, "link-to-link"));
  symlinkSync("../root-evil", join(root, "relative-link"));
  symlinkSync(join(root, "notes"), join(root, "good-link"));

  expect(fenced.resolvePath(".")).toBe(root);
  expect(fenced.resolvePath("good-link/a.md")).toBe(join(root, "notes", "a.md"));
  for (const given of [
    "..",
    "/",
    "../outside/secret.md",
    join(outside, "secret.md"),
    `${sibling}/secret.md`,
    "../root-evil",
    "link-to-folder",
    "link-to-folder/secret.md",
    "link-to-file.md",
    "link-to-link/secret.md",
    "relative-link/secret.md",
    "good-link/../../outside",
    "~/",
  ]) {
    expect([given, failureOf(() => fenced.resolvePath(given)).code]).toEqual([
      given,
      "out-of-root",
    ]);
  }
});

test("[core.boundary.silent] no path or link reveals whether something exists outside the boundary", () => {
  const { root, outside, fenced } = ground();
  symlinkSync(outside, join(root, "link"));
  symlinkSync(join(outside, "nothing"), join(root, "dangling"));
  symlinkSync(root, join(outside, "back"));
  const answer = (given: string) => {
    const { kind, code, message } = failureOf(() => fenced.resolvePath(given));
    return `${kind} ${code} ${message.replace(given, "…")}`;
  };
  const pairs = [
    ["../outside/secret.md", "../outside/missing.md"],
    ["link/secret.md", "link/missing.md"],
    ["link", "dangling"],
    ["link/back", "link/no-way-back"],
    ["link/secret.md", "link/secret.md/below"],
  ] as const;

  for (const [there, missing] of pairs) expect(answer(there)).toBe(answer(missing));
  expect(answer("notes/missing.md")).toContain("not-found");
});

test("an error shows the given path, never its target", () => {
  const { root, outside, fenced } = ground();
  symlinkSync(outside, join(root, "link"));

  const { message } = failureOf(() => fenced.resolvePath("link/secret.md"));

  expect(message).toContain("link/secret.md");
  expect(message).not.toContain(outside);
  expect(failureOf(() => fenced.assertAllowed(outside)).message).not.toContain(outside);
});

test("cyclic links are not found, and do not hang", () => {
  const { root, fenced } = ground();
  symlinkSync("b", join(root, "a"));
  symlinkSync("a", join(root, "b"));
  expect(failureOf(() => fenced.resolvePath("a/x.md")).kind).toBe("not-found");
});

test("a force root may be given through a link, and paths may use either name", () => {
  const { place, root } = ground();
  const alias = join(place, "alias");
  symlinkSync(root, alias);
  const boundary = createBoundary({ base: alias, forceRoot: alias });

  for (const given of ["notes/a.md", join(alias, "notes/a.md"), join(root, "notes/a.md")]) {
    expect(boundary.resolvePath(given)).toBe(join(root, "notes", "a.md"));
  }
  expect(failureOf(() => boundary.resolvePath("../outside/secret.md")).code).toBe("out-of-root");
});

test("a force root that is not a folder fails at startup", () => {
  const { root } = ground();
  for (const forceRoot of [join(root, "nowhere"), join(root, "notes", "a.md")]) {
    expect(failureOf(() => createBoundary({ base: root, forceRoot }))).toMatchObject({
      kind: "invalid",
      message: expect.stringContaining("--force-root"),
    });
  }
});

test("[core.boundary.resolved-root] a root found above a file must also be inside the force root", () => {
  const { root, place, fenced } = ground();
  expect(fenced.assertAllowed(join(root, "notes"))).toBe(join(root, "notes"));
  expect(failureOf(() => fenced.assertAllowed(place)).code).toBe("out-of-root");
  expect(failureOf(() => fenced.assertAllowed(join(root, "gone"))).kind).toBe("not-found");
});

test("a path with the folder's name as a prefix is not inside it", () => {
  expect(containsPath("/a/root", "/a/root")).toBe(true);
  expect(containsPath("/a/root", "/a/root/x")).toBe(true);
  expect(containsPath("/a/root/", "/a/root/x/../y")).toBe(true);
  expect(containsPath("/", "/anything")).toBe(true);
  expect(containsPath("/a/root", "/a/root-evil/x")).toBe(false);
  expect(containsPath("/a/root", "/a/root/../x")).toBe(false);
  expect(containsPath("/a/root", "/a/ROOT/x")).toBe(false);
  expect(containsPath("/a/root/x", "/a/root")).toBe(false);
});

test("a file is read through the boundary, as text and as bytes", () => {
  const { root, fenced } = ground();
  const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0x00, 0xff, 0x0d, 0x0a]);
  writeFileSync(join(root, "odd.md"), bytes);
  writeFileSync(join(root, "empty.md"), "");
  symlinkSync("odd.md", join(root, "link.md"));

  expect(fenced.readFile(join(root, "odd.md"), root)).toEqual(bytes);
  expect(fenced.readFile(join(root, "link.md"), root)).toEqual(bytes);
  expect(fenced.readFile(join(root, "empty.md"), root)).toHaveLength(0);
});

test("[core.boundary.too-large] a file over the size limit is refused, a file at the limit is read", () => {
  const { root, fenced } = ground();
  const path = join(root, "large.md");
  writeFileSync(path, "");
  truncateSync(path, 1_000);

  expect(fenced.readFile(path, root, 1_000)).toHaveLength(1_000);
  expect(failureOf(() => fenced.readFile(path, root, 999))).toMatchObject({
    kind: "too-large",
    message: "'large.md' is larger than 999 bytes.",
  });
});

test("[core.boundary.special-files] pipes, folders and devices are refused without blocking", () => {
  const { root } = ground();
  const boundary = createBoundary({ base: root });
  execFileSync("mkfifo", [join(root, "pipe.md")]);

  expect(failureOf(() => boundary.readFile(join(root, "pipe.md"), root)).code).toBe("not-a-file");
  expect(failureOf(() => boundary.readFile(join(root, "notes"), root)).code).toBe("not-a-file");
  expect(failureOf(() => boundary.readFile("/dev/zero", "/dev")).code).toBe("not-a-file");
});

test("a file outside its folder is refused with and without a force root", () => {
  const { root, outside, fenced } = ground();
  symlinkSync(join(outside, "secret.md"), join(root, "link.md"));
  for (const boundary of [fenced, createBoundary({ base: root })]) {
    expect(failureOf(() => boundary.readFile(join(root, "link.md"), root)).code).toBe(
      "out-of-root",
    );
    expect(failureOf(() => boundary.readFile(join(root, "gone.md"), root)).kind).toBe("not-found");
  }
  expect(failureOf(() => fenced.readFile(join(outside, "secret.md"), outside)).code).toBe(
    "out-of-root",
  );
});

test("[core.boundary.hard-links] under a force root, a file with a second hard link is refused", () => {
  const { root, outside, fenced } = ground();
  linkSync(join(outside, "secret.md"), join(root, "innocent.md"));

  expect(failureOf(() => fenced.readFile(join(root, "innocent.md"), root)).code).toBe(
    "out-of-root",
  );
  expect(createBoundary({ base: root }).readFile(join(root, "innocent.md"), root)).toHaveLength(6);
});

/** Replaces a file or folder of the root with a link to the outside, as fast as possible. */
const swapper = `
  const { renameSync } = require("node:fs");
  const { parentPort, workerData } = require("node:worker_threads");
  const { shown, good, evil } = workerData;
  parentPort.postMessage("swapping");
  for (;;) {
    renameSync(shown, good); renameSync(evil, shown);
    renameSync(shown, evil); renameSync(good, shown);
  }
`;

test.each([
  ["file", "notes/a.md", "outside/secret.md"],
  ["folder", "notes", "outside"],
])(
  "[core.boundary.swap] a %s that is swapped with a link all the time never gives the secret",
  async (_, swapped, target) => {
    const { place, root, outside } = ground();
    writeFileSync(join(outside, "a.md"), "SECRET");
    const shown = join(root, swapped);
    const [good, evil] = [join(root, "good"), join(root, "evil")];
    symlinkSync(join(place, target), evil);
    const path = join(root, "notes", "a.md");
    const worker = new Worker(swapper, { eval: true, workerData: { shown, good, evil } });
    try {
      await new Promise((resolve) => worker.once("message", resolve));
      const naive = new Set<string>();
      const answers = new Map<string, number>();
      const boundaries = [
        createBoundary({ base: root, forceRoot: root }),
        createBoundary({ base: root }),
      ];
      const end = Date.now() + 1_500;
      while (Date.now() < end) {
        naive.add(outcomeOf(() => readFileSync(path, "utf8")));
        for (const boundary of boundaries) {
          const answer = outcomeOf(() => boundary.readFile(path, root).toString());
          answers.set(answer, (answers.get(answer) ?? 0) + 1);
        }
      }
      // An unprotected reader sees both sides, so the swaps did happen during the test.
      expect([...naive]).toEqual(expect.arrayContaining(["inside", "SECRET"]));
      expect([...answers.keys()]).toContain("inside");
      expect([...answers.keys()]).toContain("out-of-root");
      expect([...answers.keys()]).not.toContain("SECRET");
    } finally {
      await worker.terminate();
    }
  },
);

function outcomeOf(read: () => string): string {
  try {
    return read();
  } catch (error) {
    return (error as { code: string }).code;
  }
}

test(`[core.boundary.path-lists] no hostile path escapes or crashes (${badPaths.origin})`, () => {
  const { root, fenced } = ground();
  for (const given of badPaths.lines) {
    try {
      expect(containsPath(root, fenced.resolvePath(given))).toBe(true);
    } catch (error) {
      expect(error, JSON.stringify(given)).toBeInstanceOf(Failure);
      expect((error as Failure).explanation).not.toContain(basename(top));
    }
  }
  expect(badPaths.lines.length).toBeGreaterThan(30);
});
