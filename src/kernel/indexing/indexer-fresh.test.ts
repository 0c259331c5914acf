import { lstatSync, mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { dirname, relative } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openFolders } from "../../../tests/fixtures/files/watched-folders.ts";

/** Few names and few contents, so that they collide often. */
const folder = fc.constantFrom("", "a/", "b/", "a/c/", "drafts/");
const name = fc.constantFrom("x.md", "y.md", "z.md", "X.md", "data.txt");
const path = fc
  .tuple(fc.constantFrom("notes/", "papers/"), folder, name)
  .map((parts) => parts.join(""));
const anyPlace = fc.oneof(
  path,
  fc.constantFrom("notes/a", "notes/b", "notes/a/c", "papers/a", "notes/drafts"),
);
const text = fc.constantFrom("one", "two", "three", "", "\0binary");

const event = fc.oneof(
  fc.record({ kind: fc.constant("write" as const), path, text }),
  fc.record({ kind: fc.constant("move" as const), path: anyPlace, to: anyPlace }),
  fc.record({ kind: fc.constant("remove" as const), path: anyPlace }),
  fc.record({ kind: fc.constant("link" as const), path, to: path }),
  fc.record({
    kind: fc.constant("ignore" as const),
    path: fc.constantFrom("notes/.gitignore", "notes/a/.gitignore"),
    text: fc.constantFrom("drafts/\n", "x.md\n", "!x.md\n", "c/\ny.md\n", ""),
  }),
  fc.record({
    kind: fc.constant("settle" as const),
    way: fc.constantFrom("scan", "look", "refresh"),
  }),
);

type Event = typeof event extends fc.Arbitrary<infer Value> ? Value : never;

test.each([
  { relocates: true, last: "look" },
  { relocates: false, last: "look" },
  { relocates: false, last: "refresh" },
])(
  "[core.documents.fresh] after any sequence of file changes, the recorded documents equal a fresh scan: %o",
  async ({ relocates, last }) => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 40 }), async (events) => {
        const folders = openFolders({ relocates });
        const runtime = folders.open();
        let touched: string[] = [];
        const settle = async (way: string) => {
          const isByPlace = way === "look" && !touched.some((place) => place.endsWith("ignore"));
          if (way === "refresh") await runtime.refresher.refresh();
          else if (isByPlace)
            await runtime.indexer.indexPaths(folders.roots, touched.map(folders.place));
          else await runtime.indexer.scan(folders.roots);
          touched = [];
        };
        await settle("scan");
        for (const event of events) {
          if (event.kind === "settle") await settle(event.way);
          else touched.push(...happen(event, folders));
        }
        await settle(last);

        const fresh = folders.open("another home");
        await fresh.indexer.scan(folders.roots);
        expect(runtime.texts()).toEqual(fresh.texts());
        expect(Object.keys(runtime.ids())).toEqual(Object.keys(fresh.ids()));
        const kept = [...runtime.copies].map(([place, { id }]) => [place, id]);
        expect(runtime.ids()).toEqual(Object.fromEntries(kept));
        expect(runtime.db.all("SELECT * FROM stale_shelves")).toEqual([]);
      }),
      { numRuns: 60 },
    );
  },
);

/** Performs the event, if possible, and returns the paths that a watcher would report. */
function happen(
  event: Exclude<Event, { kind: "settle" }>,
  { place, put, move, remove }: ReturnType<typeof openFolders>,
): string[] {
  const isThere = (path: string) => lstatSync(place(path), { throwIfNoEntry: false }) !== undefined;
  try {
    if (event.kind === "write" || event.kind === "ignore") put(event.path, event.text);
    if (event.kind === "remove") remove(event.path);
    if (event.kind === "link") {
      mkdirSync(dirname(place(event.path)), { recursive: true });
      symlinkSync(place(event.to), place(event.path));
    }
    // Writing to a link writes to its target, which is reported.
    const written =
      event.kind === "write" ? [relative(place(""), realpathSync(place(event.path)))] : [];
    if (event.kind !== "move") return [event.path, ...written];
    if (!isThere(event.path)) return [];
    move(event.path, event.to);
    return [event.path, event.to];
  } catch (error) {
    // A file is where a folder is needed, or the reverse: nothing happened.
    if (!(error instanceof Error && "code" in error)) throw error;
    return [];
  }
}
