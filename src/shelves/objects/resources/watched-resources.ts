import { sha256Hex } from "../../../kernel/files/hashes.ts";
import type { WorkspaceView } from "../workspace/workspace-view.ts";

/** The resources that have been read or subscribed to, which are polled for changes. */
export interface WatchedResources {
  /** Starts reporting changes of a resource, relative to this text. */
  track(uri: string, path: string, text: string): void;
  /** The workspace paths with their resources. */
  byPath(): Iterable<readonly [path: string, watched: WatchedPath]>;
}

export interface WatchedPath {
  /** The view at the last comparison. */
  view: WorkspaceView | undefined;
  uris(): string[];
  /** Whether a resource has changed since the last call, which also stores the new text. */
  isChanged(uri: string, text: string): boolean;
}

/** More than the maximum number of subscriptions of a client. The oldest are evicted. */
const maxResourcesPerPath = 2_000;
const maxPaths = 100;

export function createWatchedResources(): WatchedResources {
  const paths = new Map<string, WatchedPath & { digests: Map<string, string> }>();
  return {
    track(uri, path, text) {
      const watched = paths.get(path) ?? createWatchedPath();
      paths.set(path, watched);
      // A read must not hide a change that a subscriber has not been notified of.
      if (!watched.digests.has(uri)) watched.digests.set(uri, sha256Hex(text));
      evictOldest(watched.digests, maxResourcesPerPath);
      evictOldest(paths, maxPaths);
    },
    byPath: () => [...paths],
  };
}

function createWatchedPath() {
  const digests = new Map<string, string>();
  return {
    digests,
    view: undefined,
    uris: () => [...digests.keys()],
    isChanged(uri: string, text: string): boolean {
      const digest = sha256Hex(text);
      const isChanged = digests.get(uri) !== digest;
      digests.set(uri, digest);
      return isChanged;
    },
  };
}

function evictOldest(map: Map<string, unknown>, maxSize: number): void {
  for (const key of map.keys()) {
    if (map.size <= maxSize) return;
    map.delete(key);
  }
}
