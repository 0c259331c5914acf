import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** The vocabulary of the documents. It is small, so that a search finds many of them. */
export const vocabulary =
  "amber basil cedar delta ember fjord grove heath inlet jetty kelp larch moss nadir ochre".split(
    " ",
  );

/** A folder outside the root, whose files must never be found. */
export const outside = "outside.md";

/** Random numbers in [0, 1), the same for the same seed. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The maximum number of files, so that one search can return them all. */
const maxFiles = 700;

/** Folders with more files are not moved, so that enough documents remain. */
const maxMoved = 40;

/**
 * Random file events in a folder of documents: each call is one event. It
 * tracks the folder's contents, so that nearly all events are possible.
 */
export function makeStorm(root: string, seed: number): () => void {
  const number = numbersFrom(seed);
  const below = (count: number): number => Math.floor(number() * count);
  const oneOf = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
  const files = new Set<string>();
  const folders = new Set([""]);
  let counter = 0;

  const anyFile = (): string | undefined => (files.size > 0 ? oneOf([...files]) : undefined);
  const anyFolder = (): string => oneOf([...folders]);
  const pathOf = (path: string): string => join(root, path);
  const randomText = (): string =>
    Array.from({ length: 3 + below(6) }, () => oneOf(vocabulary)).join(" ");
  const page = (): string => `# ${oneOf(vocabulary)} ${counter}\n\n${randomText()}\n`;
  /** Some files are identical, and some are not documents. */
  const content = (): string => {
    const kind = number();
    if (kind < 0.08) return "# The same page\n\namber basil\n";
    if (kind < 0.1) return "amber \0 basil";
    if (kind < 0.12) return "";
    return page();
  };
  const extension = (): string => {
    const kind = number();
    if (kind < 0.85) return ".md";
    if (kind < 0.92) return ".tmp.md";
    return kind < 0.97 ? ".txt" : ".MD";
  };
  const newFile = (): string => join(anyFolder(), `f${counter++}${extension()}`);
  const newFolder = (): string => {
    const kind = number();
    const name = kind < 0.8 ? `d${counter++}` : oneOf(["drafts", "build", ".hidden", "keep"]);
    return join(anyFolder(), name);
  };
  const isBelow = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);
  const isLarge = (folder: string): boolean =>
    [...files].filter((file) => isBelow(file, folder)).length > maxMoved;

  function removePaths(folder: string): void {
    for (const list of [files, folders]) {
      for (const path of list) if (path === folder || isBelow(path, folder)) list.delete(path);
    }
  }

  function movePaths(from: string, to: string): void {
    for (const list of [files, folders]) {
      for (const path of [...list]) {
        if (path !== from && !isBelow(path, from)) continue;
        list.delete(path);
        list.add(to + path.slice(from.length));
      }
    }
  }

  /** Each performs one event, or returns false if that is not possible now. */
  const actions: [weight: number, action: () => boolean][] = [
    [30, create],
    [18, edit],
    [8, saveByRename],
    [12, rename],
    [3, renameOver],
    [2, swap],
    [2, copy],
    [2, touch],
    [14, remove],
    [4, makeFolder],
    [2, renameFolder],
    [1, removeFolder],
    [1, editRules],
    [1, link],
  ];
  const weighted = actions.flatMap(([weight, action]) =>
    Array.from({ length: weight }, () => action),
  );
  return () => {
    while (!oneOf(weighted)());
  };

  function create(): boolean {
    if (files.size >= maxFiles) return false;
    const path = newFile();
    writeFileSync(pathOf(path), content());
    files.add(path);
    return true;
  }

  function edit(): boolean {
    const path = anyFile();
    if (!path) return false;
    appendFileSync(pathOf(path), `\n${randomText()}\n`);
    return true;
  }

  function saveByRename(): boolean {
    const path = anyFile();
    if (!path) return false;
    const draft = join(dirname(path), `.save-${counter++}`);
    writeFileSync(pathOf(draft), content());
    renameSync(pathOf(draft), pathOf(path));
    return true;
  }

  function rename(): boolean {
    const path = anyFile();
    if (!path) return false;
    const to = newFile();
    renameSync(pathOf(path), pathOf(to));
    files.delete(path);
    files.add(to);
    return true;
  }

  function renameOver(): boolean {
    const [path, to] = [anyFile(), anyFile()];
    if (!path || !to || path === to) return false;
    renameSync(pathOf(path), pathOf(to));
    files.delete(path);
    return true;
  }

  function swap(): boolean {
    const [path, other] = [anyFile(), anyFile()];
    if (!path || !other || path === other) return false;
    renameSync(pathOf(path), pathOf(`${path}.aside`));
    renameSync(pathOf(other), pathOf(path));
    renameSync(pathOf(`${path}.aside`), pathOf(other));
    return true;
  }

  function copy(): boolean {
    const path = anyFile();
    if (!path || files.size >= maxFiles) return false;
    const to = newFile();
    copyFileSync(pathOf(path), pathOf(to));
    files.add(to);
    return true;
  }

  function touch(): boolean {
    const path = anyFile();
    if (!path) return false;
    const time = 1_700_000_000 + below(1_000_000);
    utimesSync(pathOf(path), time, time);
    return true;
  }

  function remove(): boolean {
    const path = anyFile();
    if (!path) return false;
    rmSync(pathOf(path));
    files.delete(path);
    return true;
  }

  function makeFolder(): boolean {
    const path = newFolder();
    if (path.split("/").length > 5 || folders.has(path)) return false;
    mkdirSync(pathOf(path));
    folders.add(path);
    return true;
  }

  function renameFolder(): boolean {
    const [from, to] = [anyFolder(), newFolder()];
    if (from === "" || folders.has(to) || isBelow(to, from) || isLarge(from)) return false;
    renameSync(pathOf(from), pathOf(to));
    movePaths(from, to);
    return true;
  }

  function removeFolder(): boolean {
    const path = anyFolder();
    if (path === "" || isLarge(path)) return false;
    rmSync(pathOf(path), { recursive: true });
    removePaths(path);
    return true;
  }

  /** A link to a file, a folder or a path outside. */
  function link(): boolean {
    const target = oneOf([anyFile() ?? "", anyFile() ?? "", anyFolder(), join("..", outside)]);
    symlinkSync(pathOf(target), pathOf(join(anyFolder(), `l${counter++}.md`)));
    return true;
  }

  /** At the top level the patterns match nothing, so that documents remain. */
  function editRules(): boolean {
    const folder = number() < 0.2 ? "" : anyFolder();
    const path = pathOf(join(folder, ".gitignore"));
    const rules = oneOf(["*.tmp.md\n", "drafts/\n", "f*0.md\n!f10.md\n", "keep\n", "d*\n", "*\n"]);
    if (number() < 0.6) rmSync(path, { force: true });
    else writeFileSync(path, folder === "" ? "*.tmp.md\ndrafts/\n" : rules);
    return true;
  }
}
