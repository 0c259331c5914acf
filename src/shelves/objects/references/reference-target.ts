import { referencedId } from "../../../text/objects/ids.ts";

/** The parts of a reference. */
export interface ReferenceTarget {
  workspace?: string;
  namespace?: string;
  kind?: string;
  /** Restricts the reference to objects of this file. */
  file?: string;
  /** An id or a dot path. */
  path: string;
}

/** The kinds and namespaces in a workspace. */
export interface KnownNames {
  kinds: ReadonlySet<string>;
  namespaces: ReadonlySet<string>;
}

/**
 * Parses `#id`, `#Kind:id`, `#ns:id`, `#ns:Kind:id`, `#ws:ns:id`, `#ws:ns:Kind:id` and `#file#id`.
 * A part that is either a known kind or a known namespace is unambiguous. Otherwise it is a kind if
 * it starts with a capital letter.
 */
export function parseReferenceTarget(reference: string, known: KnownNames): ReferenceTarget {
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
      // Too many parts: no object can match.
      return { ...file, path: rest };
  }
}

/** `a.b.c` → `a.b.c`, `a.b`, `a`: the ids that a path may start with, before a field. */
export function pathPrefixes({ path }: ReferenceTarget): string[] {
  const steps = path.split(".");
  return steps.map((_, at) => steps.slice(0, steps.length - at).join("."));
}
