import { lstatSync, mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { dirname, relative } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openFolders } from "../../tests/fixtures/watched-folders.ts";

/** Few names and few contents, so that they meet often. */
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
  fc.record({ deed: fc.constant("write" as const), path, text }),
  fc.record({ deed: fc.constant("move" as const), path: anyPlace, to: anyPlace }),
  fc.record({ deed: fc.constant("remove" as const), path: anyPlace }),
  fc.record({ deed: fc.constant("link" as const), path, to: path }),
  fc.record({
    deed: fc.constant("ignore" as const),
    path: fc.constantFrom("notes/.gitignore", "notes/a/.gitignore"),
    text: fc.constantFrom("drafts/\n", "x.md\n", "!x.md\n", "c/\ny.md\n", ""),
  }),
  fc.record({ deed: fc.constant("settle" as const), way: fc.constantFrom("scan", "look") }),
);

type Event = typeof event extends fc.Arbitrary<infer Value> ? Value : never;

test.each([true, false])(
  "[house.documents.fresh] whatever happens to the files, what is known of them is what a fresh look finds (a shelf that knows moves: %s)",
  async (relocates) => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 40 }), async (events) => {
        const folders = openFolders({ relocates });
        const house = folders.open();
        let touched: string[] = [];
        const settle = async (way: string) => {
          const isByPlace = way === "look" && !touched.some((place) => place.endsWith("ignore"));
          if (isByPlace) await house.intake.lookAt(folders.roots, touched.map(folders.place));
          else await house.intake.scan(folders.roots);
          touched = [];
        };
        await settle("scan");
        for (const event of events) {
          if (event.deed === "settle") await settle(event.way);
          else touched.push(...happen(event, folders));
        }
        await settle("look");

        const fresh = folders.open("another home");
        await fresh.intake.scan(folders.roots);
        expect(house.texts()).toEqual(fresh.texts());
        expect(Object.keys(house.ids())).toEqual(Object.keys(fresh.ids()));
        const kept = [...house.copies].map(([place, { id }]) => [place, id]);
        expect(house.ids()).toEqual(Object.fromEntries(kept));
        expect(house.db.all("SELECT * FROM stale_shelves")).toEqual([]);
      }),
      { numRuns: 60 },
    );
  },
  60_000,
);

/** Does it, where it can be done, and tells the places that a watcher would name. */
function happen(
  event: Exclude<Event, { deed: "settle" }>,
  { place, put, move, remove }: ReturnType<typeof openFolders>,
): string[] {
  const isThere = (path: string) => lstatSync(place(path), { throwIfNoEntry: false }) !== undefined;
  try {
    if (event.deed === "write" || event.deed === "ignore") put(event.path, event.text);
    if (event.deed === "remove") remove(event.path);
    if (event.deed === "link") {
      mkdirSync(dirname(place(event.path)), { recursive: true });
      symlinkSync(place(event.to), place(event.path));
    }
    // Who writes to a link writes to another file, and that one is named.
    const written =
      event.deed === "write" ? [relative(place(""), realpathSync(place(event.path)))] : [];
    if (event.deed !== "move") return [event.path, ...written];
    if (!isThere(event.path)) return [];
    move(event.path, event.to);
    return [event.path, event.to];
  } catch (error) {
    // A file stands where a folder is needed, or the other way round: then nothing happened.
    if (!(error instanceof Error && "code" in error)) throw error;
    return [];
  }
}
