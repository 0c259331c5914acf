import { referencedId } from "../../text/objects/ids.ts";

/** What a reference says, taken apart. */
export interface Target {
  workspace?: string;
  namespace?: string;
  kind?: string;
  /** Only objects of this file. */
  file?: string;
  /** An id or a dot path. */
  path: string;
}

/** Words that stand before a colon somewhere. */
export interface Known {
  kinds: ReadonlySet<string>;
  namespaces: ReadonlySet<string>;
}

/**
 * Takes apart `#id`, `#Kind:id`, `#ns:id`, `#ns:Kind:id`, `#ws:ns:id`, `#ws:ns:Kind:id` and
 * `#file#id`. A part is a Kind when there are only objects of that kind by that name; where both or
 * neither are known, a capital letter tells.
 */
export function readTarget(reference: string, known: Known): Target {
  const bare = referencedId(reference) ?? reference.replace(/^#/, "");
  const hash = bare.lastIndexOf("#");
  const rest = hash < 0 ? bare : bare.slice(hash + 1);
  const file = hash < 0 ? {} : { file: bare.slice(0, hash) };
  const parts = rest.split(":").map((part) => part.trim());
  const path = parts.at(-1) ?? "";
  const [a = "", b = "", c = ""] = parts;
  const isKind = (part: string): boolean => {
    const [asKind, asNamespace] = [known.kinds.has(part), known.namespaces.has(part)];
    return asKind === asNamespace ? /^_*\p{Lu}/u.test(part) : asKind;
  };
  switch (parts.length) {
    case 1:
      return { ...file, path };
    case 2:
      return isKind(a) ? { ...file, kind: a, path } : { ...file, namespace: a, path };
    case 3:
      return isKind(b)
        ? { ...file, namespace: a, kind: b, path }
        : { ...file, workspace: a, namespace: b, path };
    case 4:
      return { ...file, workspace: a, namespace: b, kind: c, path };
    default:
      // Nothing has a name of so many parts.
      return { ...file, path: rest };
  }
}

/** `a.b.c` → `a.b.c`, `a.b`, `a`: all that a path may mean, with or without a field behind it. */
export function prefixesOf({ path }: Target): string[] {
  const steps = path.split(".");
  return steps.map((_, at) => steps.slice(0, steps.length - at).join("."));
}
