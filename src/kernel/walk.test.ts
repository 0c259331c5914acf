import { spawn } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeBoundary } from "./boundary.ts";
import { readMounts } from "./mounts.ts";
import { openWalk } from "./walk.ts";

const boundary = makeBoundary({ base: tmpdir() });

test("files are found by the pattern, a folder's own before those below it", () => {
  const files = {
    "b.md": "",
    "a/c.md": "",
    "a/d.txt": "",
    "a/b/e.md": "",
    "A.md": "",
    "f/g.md": "",
  };
  check(files, ["A.md", "b.md", "a/c.md", "a/b/e.md", "f/g.md"]);
});

test("commas join patterns, and commas in braces belong to one", () => {
  const files = { "a.md": "", "b.txt": "", "c/d.rst": "", "e.png": "" };

  check(files, ["a.md", "b.txt", "c/d.rst"], { pattern: "**/*.{md,txt}, **/*.rst" });
});

test("[search.collections.ending] an ending counts in capital letters too, a name does not", () => {
  const files = { "README.MD": "", "b/Notes.Md": "", "c.md": "", "d.TXT": "", "e.txt": "" };

  check(files, ["README.MD", "c.md", "b/Notes.Md"]);
  check(files, ["README.MD", "c.md", "d.TXT", "e.txt", "b/Notes.Md"], {
    pattern: "**/*.{MD,Txt}",
  });
  check(files, ["c.md"], { pattern: "**/c.MD, **/D.txt" });
  check(files, ["README.MD", "c.md"], { ignore: ["b/*.md"] });
});

test("hidden files, packages and build products are left out", () => {
  check({ ".git/a.md": "", "node_modules/x/b.md": "", "dist/c.md": "", ".d.md": "", "e.md": "" }, [
    "e.md",
  ]);
});

test("[qualitative.privacy.files] the folder of a project and its copies are left out of every collection", () => {
  const files = {
    "P.qda/documents/a.md": "",
    "P_BKUP_1.QDA/b.md": "",
    "c.qda.md": "",
    "d/e.md": "",
  };
  check(files, ["c.qda.md", "d/e.md"]);
});

test("ignore files hold for their folder, the inner ones win", () => {
  check(
    {
      ".gitignore": "drafts/\n*.tmp.md\n",
      "a.tmp.md": "",
      "drafts/b.md": "",
      "keep/.gitignore": "!c.tmp.md\n",
      "keep/c.tmp.md": "",
      "d.md": "",
    },
    ["d.md", "keep/c.tmp.md"],
  );
});

test("a collection's own ignored patterns win", () => {
  check({ "a.md": "", "old/b.md": "" }, ["a.md"], { ignore: ["old/**"] });
});

test("a link to a file inside is followed, one that leads outside is not, nor one to a folder", () => {
  const folder = folderWith({ "a.md": "", "inner/b.md": "" });
  const outside = folderWith({ "secret.md": "" });
  symlinkSync(join(folder, "a.md"), join(folder, "link.md"));
  symlinkSync(join(outside, "secret.md"), join(folder, "leak.md"));
  symlinkSync(outside, join(folder, "leak"));
  symlinkSync(join(folder, "inner"), join(folder, "twice"));
  symlinkSync(folder, join(folder, "inner", "loop"));

  expect(pathsIn(folder)).toEqual(["a.md", "link.md", "inner/b.md"]);
});

test("a single path is found exactly when the walk would find it", () => {
  const folder = folderWith({
    ".gitignore": "drafts/\n",
    "a.md": "",
    "b.txt": "",
    "drafts/c.md": "",
    ".hidden/d.md": "",
    "e/f.md": "",
  });
  const root = { name: "r", path: folder, pattern: "**/*.md" };
  const candidates = ["a.md", "b.txt", "drafts/c.md", ".hidden/d.md", "e/f.md", "gone.md", "e"];

  expect(candidates.filter((path) => openWalk(root, boundary).at(path))).toEqual(pathsIn(folder));
});

describe("[house.walk.unreadable] what cannot be read is named with its reason", () => {
  test("and does not end the walk", () => {
    const folder = folderWith({ "a.md": "", "dead/b.md": "", "z/c.md": "" });
    const { pid, end } = zombie();
    try {
      const walk = openWalk({ name: "r", path: `/proc/${pid}`, pattern: "**/*.md" }, boundary);
      expect([...walk.below("")].flat()).toEqual([]);
      expect(walk.unreadable.get("net")).toBe("it cannot be read: the system says EINVAL");
      expect([walk.isUnknown("net/a/b.md"), walk.isUnknown("nets/b.md")]).toEqual([true, false]);
    } finally {
      end();
    }
    expect(pathsIn(folder)).toEqual(["a.md", "dead/b.md", "z/c.md"]);
  });

  test("but not what no path of the pattern lies in", () => {
    const { pid, end } = zombie();
    try {
      for (const pattern of ["*.md", "stat*/*.md", "tas[k]/**/*.md"]) {
        const walk = openWalk({ name: "r", path: `/proc/${pid}`, pattern }, boundary);
        expect([...walk.below("")].flat()).toEqual([]);
        expect([...walk.unreadable.keys()].filter((name) => name === "net")).toEqual([]);
      }
    } finally {
      end();
    }
  });
});

test("[house.walk.virtual] the kernel's own file systems are not entered from above", () => {
  const above = openWalk({ name: "r", path: "/", pattern: "proc/self/stat*" }, boundary);
  expect([...above.below("")].flat()).toEqual([]);
  const inside = openWalk({ name: "r", path: "/proc/self", pattern: "status" }, boundary);
  expect([...inside.below("")].flat().map(({ path }) => path)).toEqual(["status"]);
});

test("the lines of the system tell where file systems begin", () => {
  const text =
    "22 1 0:21 / /proc rw,nosuid shared:5 - proc proc rw\n" +
    "30 1 0:30 / /mnt/my\\040books rw - fuse.sshfs me@host: rw\n";
  expect(readMounts(text)).toEqual([
    { place: "/proc", type: "proc" },
    { place: "/mnt/my books", type: "fuse.sshfs" },
  ]);
});

/** A process that has ended and that nobody waits for: Linux refuses to list its network. */
function zombie(): { pid: number; end(): void } {
  const words = "sh -c 'echo $$ >&3' 3>&1 >/dev/null & exec sleep 600";
  const parent = spawn("sh", ["-c", words], { stdio: ["ignore", "pipe", "ignore"] });
  for (;;) {
    const children = readFileSync(`/proc/${parent.pid}/task/${parent.pid}/children`, "utf8");
    const pid = Number(children.trim());
    if (pid > 0 && / Z /.test(statusOf(pid)) && / \(sleep\) /.test(statusOf(Number(parent.pid))))
      return { pid, end: () => void parent.kill("SIGKILL") };
  }
}

const statusOf = (pid: number): string => readFileSync(`/proc/${pid}/stat`, "utf8");

function check(
  files: Record<string, string>,
  expected: string[],
  options: { pattern?: string; ignore?: string[] } = {},
): void {
  expect(pathsIn(folderWith(files), options)).toEqual(expected);
}

function pathsIn(path: string, options: { pattern?: string; ignore?: string[] } = {}): string[] {
  const walk = openWalk({ name: "r", path, pattern: "**/*.md", ...options }, boundary);
  return [...walk.below("")].flat().map((file) => file.path);
}

function folderWith(files: Record<string, string>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "lectern-walk-")));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}
