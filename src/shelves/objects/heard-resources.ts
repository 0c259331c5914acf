import { hashOf } from "../../kernel/hashing.ts";
import type { View } from "./view.ts";

/** Resources that somebody has read or subscribed to, so that changes of them are told. */
export interface HeardResources {
  /** From now on it is told when a resource says something else than this. */
  note(uri: string, path: string, text: string): void;
  /** The paths that they name, each with its resources. */
  byPath(): Iterable<readonly [path: string, heard: HeardPath]>;
}

export interface HeardPath {
  /** What its resources were last compared with. */
  view: View | undefined;
  uris(): string[];
  /** Whether a resource says something else than before; what it says now is compared with next. */
  isChanged(uri: string, text: string): boolean;
}

/** More than a client may subscribe to; those noted first are forgotten first. */
const mostOfPath = 2_000;
const mostPaths = 100;

export function openHeardResources(): HeardResources {
  const paths = new Map<string, HeardPath & { digests: Map<string, string> }>();
  return {
    note(uri, path, text) {
      const heard = paths.get(path) ?? openPath();
      paths.set(path, heard);
      // What others wait to hear of is not passed over because somebody has read it meanwhile.
      if (!heard.digests.has(uri)) heard.digests.set(uri, hashOf(text));
      forgetFirst(heard.digests, mostOfPath);
      forgetFirst(paths, mostPaths);
    },
    byPath: () => [...paths],
  };
}

function openPath() {
  const digests = new Map<string, string>();
  return {
    digests,
    view: undefined,
    uris: () => [...digests.keys()],
    isChanged(uri: string, text: string): boolean {
      const digest = hashOf(text);
      const isOther = digests.get(uri) !== digest;
      digests.set(uri, digest);
      return isOther;
    },
  };
}

function forgetFirst(map: Map<string, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return;
    map.delete(key);
  }
}
