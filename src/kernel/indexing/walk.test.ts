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
import { createBoundary } from "../paths/boundary.ts";
import { parseMounts } from "../paths/mounts.ts";
import { openWalk } from "./walk.ts";

const boundary = createBoundary({ base: tmpdir() });

test("files are found by pattern, a folder's own before those of subfolders", () => {
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

test("commas separate patterns, except inside braces", () => {
  const files = { "a.md": "", "b.txt": "", "c/d.rst": "", "e.png": "" };

  check(files, ["a.md", "b.txt", "c/d.rst"], { pattern: "**/*.{md,txt}, **/*.rst" });
});

test("[search.collections.ending] an extension matches case-insensitively, a name does not", () => {
  const files = { "README.MD": "", "b/Notes.Md": "", "c.md": "", "d.TXT": "", "e.txt": "" };

  check(files, ["README.MD", "c.md", "b/Notes.Md"]);
  check(files, ["README.MD", "c.md", "d.TXT", "e.txt", "b/Notes.Md"], {
    pattern: "**/*.{MD,Txt}",
  });
  check(files, ["c.md"], { pattern: "**/c.MD, **/D.txt" });
  check(files, ["README.MD", "c.md"], { ignore: ["b/*.md"] });
});

test("hidden files, packages and build output are skipped", () => {
  check({ ".git/a.md": "", "node_modules/x/b.md": "", "dist/c.md": "", ".d.md": "", "e.md": "" }, [
    "e.md",
  ]);
});

test("[qualitative.privacy.files] the project folder and its copies are excluded from every collection", () => {
  const files = {
    "P.qda/documents/a.md": "",
    "P_BKUP_1.QDA/b.md": "",
    "c.qda.md": "",
    "d/e.md": "",
  };
  check(files, ["c.qda.md", "d/e.md"]);
});

test("ignore files apply to their folder, inner ones take precedence", () => {
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

test("a collection's own ignore patterns take precedence", () => {
  check({ "a.md": "", "old/b.md": "" }, ["a.md"], { ignore: ["old/**"] });
});

test("a link to a file inside is followed, a link to outside or to a folder is not", () => {
  const folder = folderWith({ "a.md": "", "inner/b.md": "" });
  const outside = folderWith({ "secret.md": "" });
  symlinkSync(join(folder, "a.md"), join(folder, "link.md"));
  symlinkSync(join(outside, "secret.md"), join(folder, "leak.md"));
  symlinkSync(outside, join(folder, "leak"));
  symlinkSync(join(folder, "inner"), join(folder, "twice"));
  symlinkSync(folder, join(folder, "inner", "loop"));

  expect(pathsIn(folder)).toEqual(["a.md", "link.md", "inner/b.md"]);
});

test("a single path is found if and only if the walk finds it", () => {
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

  expect(candidates.filter((path) => openWalk(root, boundary).fileAt(path))).toEqual(
    pathsIn(folder),
  );
});

describe("[core.walk.unreadable] unreadable entries are reported with a reason", () => {
  test("and does not end the walk", () => {
    const folder = folderWith({ "a.md": "", "dead/b.md": "", "z/c.md": "" });
    const { pid, end } = zombie();
    try {
      const walk = openWalk({ name: "r", path: `/proc/${pid}`, pattern: "**/*.md" }, boundary);
      expect([...walk.filesBelow("")].flat()).toEqual([]);
      expect(walk.unreadable.get("net")).toBe("it cannot be read: the system reports EINVAL");
      expect([walk.isUnknown("net/a/b.md"), walk.isUnknown("nets/b.md")]).toEqual([true, false]);
    } finally {
      end();
    }
    expect(pathsIn(folder)).toEqual(["a.md", "dead/b.md", "z/c.md"]);
  });

  test("but not a folder that no path of the pattern contains", () => {
    const { pid, end } = zombie();
    try {
      for (const pattern of ["*.md", "stat*/*.md", "tas[k]/**/*.md"]) {
        const walk = openWalk({ name: "r", path: `/proc/${pid}`, pattern }, boundary);
        expect([...walk.filesBelow("")].flat()).toEqual([]);
        expect([...walk.unreadable.keys()].filter((name) => name === "net")).toEqual([]);
      }
    } finally {
      end();
    }
  });
});

test("[core.walk.virtual] a walk does not enter virtual file systems such as /proc", () => {
  const above = openWalk({ name: "r", path: "/", pattern: "proc/self/stat*" }, boundary);
  expect([...above.filesBelow("")].flat()).toEqual([]);
  const inside = openWalk({ name: "r", path: "/proc/self", pattern: "status" }, boundary);
  expect([...inside.filesBelow("")].flat().map(({ path }) => path)).toEqual(["status"]);
});

test("the mount table is parsed for mount points", () => {
  const text =
    "22 1 0:21 / /proc rw,nosuid shared:5 - proc proc rw\n" +
    "30 1 0:30 / /mnt/my\\040books rw - fuse.sshfs me@host: rw\n";
  expect(parseMounts(text)).toEqual([
    { path: "/proc", type: "proc" },
    { path: "/mnt/my books", type: "fuse.sshfs" },
  ]);
});

/** A zombie process: Linux refuses to list its network. */
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
  return [...walk.filesBelow("")].flat().map((file) => file.path);
}

function folderWith(files: Record<string, string>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "lectern-walk-")));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}
