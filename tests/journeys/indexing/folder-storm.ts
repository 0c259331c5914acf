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

/** The vocabulary of the documents, so that a search for a word finds many. */
export const vocabulary =
  "amber basil cedar delta ember fjord grove heath inlet jetty kelp larch moss nadir ochre".split(
    " ",
  );

/** Beside the folder; its files must never be found. */
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

/** Few enough to be returned by one search. */
const maxFiles = 700;

/** A folder with more files is not moved, or in the end there would be little to find. */
const mostCarried = 40;

/**
 * Random file events in a folder of documents: each call is one event. It
 * tracks the folder's contents, so that nearly all events are possible.
 */
export function makeStorm(top: string, seed: number): () => void {
  const number = numbersFrom(seed);
  const below = (count: number): number => Math.floor(number() * count);
  const oneOf = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
  const files = new Set<string>();
  const folders = new Set([""]);
  let counter = 0;

  const anyFile = (): string | undefined => (files.size > 0 ? oneOf([...files]) : undefined);
  const anyFolder = (): string => oneOf([...folders]);
  const at = (path: string): string => join(top, path);
  const words = (): string =>
    Array.from({ length: 3 + below(6) }, () => oneOf(vocabulary)).join(" ");
  const page = (): string => `# ${oneOf(vocabulary)} ${counter}\n\n${words()}\n`;
  /** Some files are identical, and some are not documents. */
  const content = (): string => {
    const kind = number();
    if (kind < 0.08) return "# The same page\n\namber basil\n";
    if (kind < 0.1) return "amber \0 basil";
    if (kind < 0.12) return "";
    return page();
  };
  const ending = (): string => {
    const kind = number();
    if (kind < 0.85) return ".md";
    if (kind < 0.92) return ".tmp.md";
    return kind < 0.97 ? ".txt" : ".MD";
  };
  const newFile = (): string => join(anyFolder(), `f${counter++}${ending()}`);
  const newFolder = (): string => {
    const kind = number();
    const name = kind < 0.8 ? `d${counter++}` : oneOf(["drafts", "build", ".hidden", "keep"]);
    return join(anyFolder(), name);
  };
  const isIn = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);
  const isLarge = (folder: string): boolean =>
    [...files].filter((file) => isIn(file, folder)).length > mostCarried;

  function forget(folder: string): void {
    for (const list of [files, folders]) {
      for (const path of list) if (path === folder || isIn(path, folder)) list.delete(path);
    }
  }

  function carry(from: string, to: string): void {
    for (const list of [files, folders]) {
      for (const path of [...list]) {
        if (path !== from && !isIn(path, from)) continue;
        list.delete(path);
        list.add(to + path.slice(from.length));
      }
    }
  }

  /** Each performs one event, or returns that it is impossible now. */
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
  const bag = actions.flatMap(([weight, action]) => Array.from({ length: weight }, () => action));
  return () => {
    while (!oneOf(bag)());
  };

  function create(): boolean {
    if (files.size >= maxFiles) return false;
    const path = newFile();
    writeFileSync(at(path), content());
    files.add(path);
    return true;
  }

  function edit(): boolean {
    const path = anyFile();
    if (!path) return false;
    appendFileSync(at(path), `\n${words()}\n`);
    return true;
  }

  function saveByRename(): boolean {
    const path = anyFile();
    if (!path) return false;
    const draft = join(dirname(path), `.save-${counter++}`);
    writeFileSync(at(draft), content());
    renameSync(at(draft), at(path));
    return true;
  }

  function rename(): boolean {
    const path = anyFile();
    if (!path) return false;
    const to = newFile();
    renameSync(at(path), at(to));
    files.delete(path);
    files.add(to);
    return true;
  }

  function renameOver(): boolean {
    const [path, to] = [anyFile(), anyFile()];
    if (!path || !to || path === to) return false;
    renameSync(at(path), at(to));
    files.delete(path);
    return true;
  }

  function swap(): boolean {
    const [path, other] = [anyFile(), anyFile()];
    if (!path || !other || path === other) return false;
    renameSync(at(path), at(`${path}.aside`));
    renameSync(at(other), at(path));
    renameSync(at(`${path}.aside`), at(other));
    return true;
  }

  function copy(): boolean {
    const path = anyFile();
    if (!path || files.size >= maxFiles) return false;
    const to = newFile();
    copyFileSync(at(path), at(to));
    files.add(to);
    return true;
  }

  function touch(): boolean {
    const path = anyFile();
    if (!path) return false;
    const time = 1_700_000_000 + below(1_000_000);
    utimesSync(at(path), time, time);
    return true;
  }

  function remove(): boolean {
    const path = anyFile();
    if (!path) return false;
    rmSync(at(path));
    files.delete(path);
    return true;
  }

  function makeFolder(): boolean {
    const path = newFolder();
    if (path.split("/").length > 5 || folders.has(path)) return false;
    mkdirSync(at(path));
    folders.add(path);
    return true;
  }

  function renameFolder(): boolean {
    const [from, to] = [anyFolder(), newFolder()];
    if (from === "" || folders.has(to) || isIn(to, from) || isLarge(from)) return false;
    renameSync(at(from), at(to));
    carry(from, to);
    return true;
  }

  function removeFolder(): boolean {
    const path = anyFolder();
    if (path === "" || isLarge(path)) return false;
    rmSync(at(path), { recursive: true });
    forget(path);
    return true;
  }

  /** To a file that may move or change later, to a folder, or to outside. */
  function link(): boolean {
    const target = oneOf([anyFile() ?? "", anyFile() ?? "", anyFolder(), join("..", outside)]);
    symlinkSync(at(target), at(join(anyFolder(), `l${counter++}.md`)));
    return true;
  }

  /** At the top level they match nothing, or nothing would be left to find. */
  function editRules(): boolean {
    const folder = number() < 0.2 ? "" : anyFolder();
    const path = at(join(folder, ".gitignore"));
    const rules = oneOf(["*.tmp.md\n", "drafts/\n", "f*0.md\n!f10.md\n", "keep\n", "d*\n", "*\n"]);
    if (number() < 0.6) rmSync(path, { force: true });
    else writeFileSync(path, folder === "" ? "*.tmp.md\ndrafts/\n" : rules);
    return true;
  }
}
