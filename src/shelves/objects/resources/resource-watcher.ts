import { Failure } from "../../../kernel/failure.ts";
import type { Notice } from "../../../kernel/notices/notices.ts";
import { matchFamily } from "../../../kernel/operations/resource.ts";
import type { ObjectsState } from "../state.ts";
import type { WorkspaceView } from "../workspace/workspace-view.ts";
import { dataResourceFamilies } from "./resource-families.ts";
import type { WatchedPath } from "./watched-resources.ts";

/** The delay between polls is at least 800 ms and 20 times the duration of the last poll. */
const minPollDelayMs = 800;
const pollDelayFactor = 20;

/**
 * Polls the workspaces whose resources have been read or subscribed to, and sends a notice for each
 * resource whose content has changed.
 */
export function watchObjectResources(
  state: ObjectsState,
  notify: (notices: readonly Notice[]) => void,
): () => void {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  async function poll(): Promise<void> {
    const started = performance.now();
    try {
      for (const [path, watched] of state.watchedResources.byPath()) {
        const uris = await findChangedUris(state, path, watched);
        if (isStopped) return;
        if (uris.length > 0) notify(uris.map((about) => ({ topic: "resource.updated", about })));
      }
    } catch (error) {
      state.log("warn", "polling for changes of objects failed", { cause: error });
    }
    if (!isStopped) schedulePoll((performance.now() - started) * pollDelayFactor);
  }

  function schedulePoll(ms: number): void {
    timer = setTimeout(poll, Math.max(ms, minPollDelayMs));
    timer.unref();
  }

  schedulePoll(minPollDelayMs);
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

/** The changed resources of a path. An unchanged workspace has the identical view object. */
async function findChangedUris(
  state: ObjectsState,
  path: string,
  watched: WatchedPath,
): Promise<string[]> {
  const view = await readView(state, path);
  if (view !== undefined && view === watched.view) return [];
  watched.view = view;
  const changed: string[] = [];
  for (const uri of watched.uris()) {
    const text = await matchFamily(dataResourceFamilies, uri)?.text(uri, state);
    if (text !== undefined && watched.isChanged(uri, text)) changed.push(uri);
  }
  return changed;
}

/** Undefined if the path has no workspace; its resources then contain that error. */
async function readView(
  { workspaces }: ObjectsState,
  path: string,
): Promise<WorkspaceView | undefined> {
  try {
    return await workspaces.read(path);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
