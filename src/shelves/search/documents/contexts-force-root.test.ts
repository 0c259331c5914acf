import { join } from "node:path";
import { expect, test } from "vitest";
import { clientsOf } from "../../../../tests/contract/surface-clients.ts";
import { twoProjects } from "../../../../tests/fixtures/processes/two-projects.ts";

test("[core.force-root.silent] with a force root, a context outside it cannot be removed or detected", async () => {
  const projects = twoProjects({ "notes/a.md": "# A\n" });
  const [outside, inside] = ["A", "B"].map((name) => join(projects.folder, name));
  if (!outside || !inside) throw new Error("There are two projects.");
  const [free, fenced] = [projects.open("A"), projects.open("B", { forceRoot: inside })];
  await free.call("add_collection", { name: "private", path: join(outside, "notes") });
  await free.call("add_collection", { name: "open", path: join(inside, "notes") });
  const places = ["private", "private/deep", join(outside, "notes"), outside];
  for (const path of ["open", ...places]) await free.call("add_context", { path, text: "Secret" });
  const all = async () => (await free.call("list_contexts")).contexts;
  const before = await all();
  expect(before).toHaveLength(5);

  const { request, shell } = clientsOf(fenced.library);
  const listed = (await request("GET", "/contexts")).body;
  expect(listed.contexts).toEqual([{ path: "open", text: "Secret" }]);
  const response = (path: string, of: { status: number; body: unknown }) =>
    JSON.stringify(of).replaceAll(path, "PLACE");
  for (const path of [...places, "../A/notes", "open/../private"]) {
    const forgotten = await request("DELETE", `/contexts/${encodeURIComponent(path)}`);
    const nothing = path.replace(/private|A/g, "nothing");
    const other = await request("DELETE", `/contexts/${encodeURIComponent(nothing)}`);
    expect([path, response(path, forgotten)]).toEqual([path, response(nothing, other)]);
    expect([path, forgotten.status]).toEqual([path, expect.toBeOneOf([403, 404])]);
    expect((await shell("context", "remove", path)).code).not.toBe(0);
  }
  expect(await all()).toEqual(before);
  expect(await request("DELETE", "/contexts/open")).toMatchObject({
    status: 200,
    body: { status: "removed" },
  });
  expect(await all()).toHaveLength(4);
});
