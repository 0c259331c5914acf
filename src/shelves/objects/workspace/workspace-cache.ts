import { basename, join } from "node:path";
import { Failure, invalid } from "../../../kernel/failure.ts";
import {
  type CachedParse,
  isUnchanged,
  type ObservedFile,
  observeFile,
  parseIfChanged,
} from "../../../kernel/files/parsed-file-cache.ts";
import type { Boundary } from "../../../kernel/paths/boundary.ts";
import { createSerialQueue } from "../../../kernel/processes/serial-queue.ts";
import {
  type EventCounter,
  openFolderChangeTracker,
} from "../../../kernel/watching/folder-changes.ts";
import { decodeText } from "../../../text/formats/text-decoder.ts";
import { parseFile } from "../../../text/objects/parsing/parse-file.ts";
import { createObjectIndex, type ObjectIndex } from "../object-index.ts";
import { assembleWorkspace } from "./workspace.ts";
import type { WorkspaceFile } from "./workspace-map.ts";
import { findWorkspaceRoot, workspaceNotFound } from "./workspace-root.ts";
import { createWorkspaceView, type WorkspaceView } from "./workspace-view.ts";
import { affectsWalk, walkWorkspace } from "./workspace-walk.ts";

/** A cache of workspaces. Changed files are read again on each access. */
export interface WorkspaceCache {
  /** The current workspace of a path. */
  read(path: string): Promise<WorkspaceView>;
  /** The full-text index of a view's workspace. */
  indexOf(view: WorkspaceView): ObjectIndex;
  close(): void;
}

/** The size of the cache; an agent uses one or two workspaces. */
const maxCachedWorkspaces = 8;

export function openWorkspaceCache(boundary: Boundary): WorkspaceCache {
  const cached = new Map<string, CachedWorkspace>();
  const eventCounter: EventCounter = { events: 0 };
  return {
    async read(path) {
      const root = findWorkspaceRoot(boundary, path);
      const workspace = cached.get(root) ?? openCachedWorkspace(root, boundary, eventCounter);
      // Reinserting moves it to the end, so the first entry is the least recently used (LRU).
      cached.delete(root);
      cached.set(root, workspace);
      for (const [oldest, { close }] of cached) {
        if (cached.size <= maxCachedWorkspaces) break;
        close();
        cached.delete(oldest);
      }
      const view = await workspace.view();
      if (view.files.length === 0) throw workspaceNotFound();
      return view;
    },
    indexOf: ({ root }) => cached.get(root)?.index() ?? createObjectIndex(),
    close() {
      for (const { close } of cached.values()) close();
      cached.clear();
    },
  };
}

interface CachedWorkspace {
  view(): Promise<WorkspaceView>;
  index(): ObjectIndex;
  close(): void;
}

type ReadFile = CachedParse<WorkspaceFile>;

function openCachedWorkspace(
  root: string,
  boundary: Boundary,
  eventCounter: EventCounter,
): CachedWorkspace {
  const changes = openFolderChangeTracker(root, {
    isRelevant: affectsWalk,
    version: boundary.privacyVersion,
    eventCounter,
  });
  const refreshQueue = createSerialQueue();
  let files = new Map<string, ReadFile>();
  let linked: string[] = [];
  let current: WorkspaceView | undefined;
  let index: ObjectIndex | undefined;

  return {
    // Refreshes run one after another.
    view: () => refreshQueue.run("look", refresh),
    index() {
      index ??= createObjectIndex();
      return index;
    },
    close: () => changes.close(),
  };

  async function refresh(): Promise<WorkspaceView> {
    const changed = await changes.takeChanges();
    const before = current;
    // Reset until the refresh succeeds: after a failure, everything is read again.
    current = undefined;
    const changedPaths = changed === "nothing" ? new Set<string>() : changed;
    const isSame = before && changedPaths !== "anything" ? rereadFiles(changedPaths) : walk();
    current = before && isSame ? before : buildView();
    return current;
  }

  function buildView(): WorkspaceView {
    const parsed = [...files.values()].map((file) => file.parsed);
    return createWorkspaceView(root, assembleWorkspace(basename(root), parsed));
  }

  /** Walks the workspace and reads changed files. True if nothing has changed. */
  function walk(): boolean {
    const { files: found, folders } = walkWorkspace(root, boundary);
    changes.setFolders(folders);
    const before = files;
    files = new Map();
    let isSame = found.length === before.size;
    for (const seen of found) {
      const known = before.get(seen.path);
      const file = known && isUnchanged(seen, known) ? known : read(seen.path, seen, known);
      if (file?.parsed !== known?.parsed) isSame = false;
      if (file) files.set(seen.path, file);
    }
    linked = found.filter(({ hasOtherNames }) => hasOtherNames).map(({ path }) => path);
    return isSame;
  }

  /** Rereads changed files. Hard-linked files are always checked: writes through another name cause no event. */
  function rereadFiles(changedPaths: ReadonlySet<string>): boolean {
    let isSame = true;
    for (const path of new Set([...changedPaths, ...linked])) {
      const known = files.get(path);
      const seen = observeFile(join(root, path));
      const isCurrent = seen && isUnchanged(seen, known) && !changedPaths.has(path);
      const file = isCurrent ? known : seen && read(path, seen, known);
      // A new file, an ignore file or a removed file requires a full walk.
      if (!known || !file) return walk();
      files.set(path, file);
      if (file.parsed !== known.parsed) isSame = false;
    }
    return isSame;
  }

  /** Undefined for a file that cannot be read or is not text. */
  function read(path: string, seen: ObservedFile, known?: ReadFile): ReadFile | undefined {
    try {
      const bytes = boundary.readFile(join(root, path), root);
      return parseIfChanged(seen, bytes, known, (changed) => {
        const text = decodeText(changed);
        if (text === undefined) throw invalid("The file is not text.");
        return { path, ...parseFile(text) };
      });
    } catch (error) {
      if (error instanceof Failure) return undefined;
      throw error;
    }
  }
}
