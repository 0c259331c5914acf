import { Failure } from "../../kernel/failure.ts";
import type { Notice } from "../../kernel/notices.ts";
import { familyOf } from "../../kernel/resource.ts";
import type { HeardPath } from "./heard-resources.ts";
import { dataFamilies } from "./resources.ts";
import type { ObjectsState } from "./state.ts";
import type { View } from "./view.ts";

/** How long after a look the next one comes: a look that takes long comes less often. */
const shortestRest = 800;
const restFactor = 20;

/**
 * Looks again and again at the workspaces whose resources somebody has read or subscribed to, and
 * tells which of these say something else. Nobody else's workspace is looked at.
 */
export function announceChanges(
  state: ObjectsState,
  tell: (notices: readonly Notice[]) => void,
): () => void {
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    const started = performance.now();
    try {
      for (const [path, heard] of state.heard.byPath()) {
        const uris = await changedUris(state, path, heard);
        if (isOver) return;
        if (uris.length > 0) tell(uris.map((about) => ({ topic: "resource.updated", about })));
      }
    } catch (error) {
      state.log("warn", "changes of objects cannot be seen", { cause: error });
    }
    if (!isOver) rest((performance.now() - started) * restFactor);
  }

  function rest(ms: number): void {
    timer = setTimeout(look, Math.max(ms, shortestRest));
    timer.unref();
  }

  rest(shortestRest);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/** A workspace that nobody changed is the very same view. */
async function changedUris(state: ObjectsState, path: string, heard: HeardPath): Promise<string[]> {
  const view = await viewAt(state, path);
  if (view !== undefined && view === heard.view) return [];
  heard.view = view;
  const changed: string[] = [];
  for (const uri of heard.uris()) {
    const text = await familyOf(dataFamilies, uri)?.text(uri, state);
    if (text !== undefined && heard.isChanged(uri, text)) changed.push(uri);
  }
  return changed;
}

/** Nothing for a path that leads nowhere now, which its resources say as well. */
async function viewAt({ workspaces }: ObjectsState, path: string): Promise<View | undefined> {
  try {
    return await workspaces.at(path);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
