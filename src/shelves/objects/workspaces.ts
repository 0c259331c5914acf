import { basename, join } from "node:path";
import type { Boundary } from "../../kernel/boundary.ts";
import { Failure, invalid } from "../../kernel/failure.ts";
import { openFolderChanges, type Traffic } from "../../kernel/folder-changes.ts";
import { makeQueue } from "../../kernel/queue.ts";
import { isAsRead, lookAt, type Reading, readInto, type SeenFile } from "../../kernel/seen-file.ts";
import { decode } from "../../text/decoding.ts";
import { parseFile } from "../../text/objects/file.ts";
import { type ObjectIndex, openObjectIndex } from "./object-index.ts";
import type { ParsedFile } from "./territory.ts";
import { makeView, type View } from "./view.ts";
import { assemble } from "./workspace.ts";
import { findRoot, notResolved } from "./workspace-root.ts";
import { concernsWalk, walkWorkspace } from "./workspace-walk.ts";

/** The workspaces that callers name, each kept in memory and read again where its files changed. */
export interface Workspaces {
  /** The workspace that a path belongs to, as its files are now. */
  at(path: string): Promise<View>;
  /** What finds the objects of a view by their words. */
  indexOf(view: View): ObjectIndex;
  close(): void;
}

/** So many stay in memory; an agent works on one or two. */
const mostKept = 8;

export function openWorkspaces(boundary: Boundary): Workspaces {
  const kept = new Map<string, Kept>();
  const traffic: Traffic = { events: 0 };
  return {
    async at(path) {
      const root = findRoot(boundary, path);
      const workspace = kept.get(root) ?? openKept(root, boundary, traffic);
      // The one asked for last stands last, so the first has waited longest.
      kept.delete(root);
      kept.set(root, workspace);
      for (const [oldest, { close }] of kept) {
        if (kept.size <= mostKept) break;
        close();
        kept.delete(oldest);
      }
      const view = await workspace.view();
      if (view.files.length === 0) throw notResolved();
      return view;
    },
    indexOf: ({ root }) => kept.get(root)?.index() ?? openObjectIndex(),
    close() {
      for (const { close } of kept.values()) close();
      kept.clear();
    },
  };
}

interface Kept {
  view(): Promise<View>;
  index(): ObjectIndex;
  close(): void;
}

type ReadFile = Reading<ParsedFile>;

function openKept(root: string, boundary: Boundary, traffic: Traffic): Kept {
  const changes = openFolderChanges(root, {
    concerns: concernsWalk,
    version: boundary.privacyVersion,
    traffic,
  });
  const turns = makeQueue();
  let files = new Map<string, ReadFile>();
  let linked: string[] = [];
  let current: View | undefined;
  let index: ObjectIndex | undefined;

  return {
    // One after the other: a refresh that waits must not be overtaken.
    view: () => turns.run("look", refreshed),
    index() {
      index ??= openObjectIndex();
      return index;
    },
    close: () => changes.close(),
  };

  async function refreshed(): Promise<View> {
    const changed = await changes.since();
    const before = current;
    // Until it has gone well: what fails half-way is done again as a whole.
    current = undefined;
    const heard = changed === "nothing" ? new Set<string>() : changed;
    const isSame = before && heard !== "anything" ? reread(heard) : walk();
    current = before && isSame ? before : viewed();
    return current;
  }

  function viewed(): View {
    const parsed = [...files.values()].map(({ form }) => form);
    return makeView(root, assemble(basename(root), parsed));
  }

  /** Looks at every file; true where all are as they were. */
  function walk(): boolean {
    const { files: found, folders } = walkWorkspace(root, boundary);
    changes.cover(folders);
    const before = files;
    files = new Map();
    let isSame = found.length === before.size;
    for (const seen of found) {
      const known = before.get(seen.path);
      const file = known && isAsRead(seen, known) ? known : read(seen.path, seen, known);
      if (file?.form !== known?.form) isSame = false;
      if (file) files.set(seen.path, file);
    }
    linked = found.filter(({ hasOtherNames }) => hasOtherNames).map(({ path }) => path);
    return isSame;
  }

  /** Nobody tells what is written to a file by another of its names, so those are looked at always. */
  function reread(heard: ReadonlySet<string>): boolean {
    let isSame = true;
    for (const path of new Set([...heard, ...linked])) {
      const known = files.get(path);
      const seen = lookAt(join(root, path));
      const isNoted = seen && isAsRead(seen, known) && !heard.has(path);
      const file = isNoted ? known : seen && read(path, seen, known);
      // A new name, an ignore file or one that went: only a walk tells what that means.
      if (!known || !file) return walk();
      files.set(path, file);
      if (file.form !== known.form) isSame = false;
    }
    return isSame;
  }

  /** A file that cannot be read now, or is no text, is as good as none. */
  function read(path: string, seen: SeenFile, known?: ReadFile): ReadFile | undefined {
    try {
      const bytes = boundary.readFile(join(root, path), root);
      return readInto(seen, bytes, known, (changed) => {
        const text = decode(changed);
        if (text === undefined) throw invalid("It is no text.");
        return { path, ...parseFile(text) };
      });
    } catch (error) {
      if (error instanceof Failure) return undefined;
      throw error;
    }
  }
}
