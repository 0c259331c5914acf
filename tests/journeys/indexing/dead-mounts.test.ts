import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { mountDead, noDeadMount } from "../../fixtures/files/dead-mount.ts";
import { otherUser } from "../../fixtures/other-user.ts";
import { httpClientAt } from "../../torture/http-client.ts";
import { showFigures } from "../figures.ts";
import { freshHome, runProgram, startServer } from "../program.ts";

/**
 * Three collections: an intact one, one with a folder that will be a dead mount, and one that will
 * be a dead mount itself.
 */
async function createHome() {
  const home = realpathSync(freshHome());
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const write = (path: string, text: string) => writeFileSync(join(home, "files", path), text);
  for (const folder of ["well", "half/far", "half/near", "whole"])
    mkdirSync(join(home, "files", folder), { recursive: true });
  write("well/a.md", "# A\n\nalbatross\n");
  write("half/far/b.md", "# B\n\nbuzzard\n");
  write("half/near/c.md", "# C\n\ncormorant\n");
  write("whole/d.md", "# D\n\ndunlin\n");
  const lectern = (...args: string[]) => runProgram(args, { home });
  for (const name of ["well", "half", "whole"])
    await lectern("collection", "add", join(home, "files", name), "--name", name);
  return { home, write, lectern };
}

/** The tests are skipped if no dead mount can be created. */
const skipReason = noDeadMount();
const makeDead = (home: string, folder: string) => {
  const { unmount } = mountDead(join(home, "files", folder));
  let isMounted = true;
  const unmountDead = () => {
    if (isMounted) unmount();
    isMounted = false;
  };
  onTestFinished(unmountDead);
  return unmountDead;
};

test("[search.mounts.commands] folders on a dead mount are named and kept, and do not block anything else", async () => {
  if (skipReason !== undefined) return showFigures(`dead mounts: LEFT OUT, because ${skipReason}`);
  const { home, write, lectern } = await createHome();
  makeDead(home, "half/far");
  makeDead(home, "whole");
  write("well/e.md", "# E\n\negret\n");

  const update = await lectern("update", "--json");
  expect(update.code).toBe(0);
  const reason = "it cannot be read: its mount is not connected (ENOTCONN)";
  expect(JSON.parse(update.stdout).skipped).toEqual([
    { path: "half/far", reason },
    { path: "whole", reason },
  ]);
  for (const [word, file] of [
    ["albatross", "well/a.md"],
    ["egret", "well/e.md"],
    ["cormorant", "half/near/c.md"],
    ["buzzard", "half/far/b.md"],
    ["dunlin", "whole/d.md"],
  ] as const) {
    const { code, stdout } = await lectern("search", word, "--json");
    expect([code, JSON.parse(stdout).map((hit: { file: string }) => hit.file)]).toEqual([
      0,
      [file],
    ]);
  }
  for (const args of [["status"], ["collection", "list"], ["index"], ["get", "well/a.md"]]) {
    const { code, stdout, stderr } = await lectern(...args);
    expect([args, code, stdout === "", /Internal error/.test(stderr)]).toEqual([
      args,
      0,
      false,
      false,
    ]);
  }
  const doctor = await lectern("doctor");
  expect(doctor.code).not.toBe(0);
  expect(doctor.stdout).toContain(`half: far: ${reason}`);
  expect(doctor.stdout).toMatch(/whole: .*its mount is not connected/);
  expect(doctor.stdout).not.toContain("Internal error");
});

test("[search.mounts.get] get and grep say that the mount is dead", async () => {
  if (skipReason !== undefined) return showFigures(`dead mounts: LEFT OUT, because ${skipReason}`);
  const { home, lectern } = await createHome();
  makeDead(home, "half/far");
  makeDead(home, "whole");

  for (const file of ["half/far/b.md", "whole/d.md"]) {
    const { code, stderr } = await lectern("get", file);
    expect([code, stderr]).toEqual([7, expect.stringMatching(/its mount is not connected/)]);
  }
  const grep = await lectern("grep", "dunlin|albatross");
  expect(grep.stdout).toContain("well/a.md:3:1: albatross");
  expect(grep.stderr).toMatch(
    /2 documents could not be searched: .*its mount is not connected \(ENOTCONN\)/,
  );
});

test.skipIf(otherUser.skipReason !== undefined)(
  "[search.mounts.denied] get and grep say that a folder may not be read",
  async () => {
    const { uid } = otherUser;
    const { home } = await createHome();
    // The parent folder belongs to this test, and other users cannot access it.
    chmodSync(dirname(home), 0o711);
    execFileSync("chown", ["-R", String(uid), home]);
    chmodSync(join(home, "files/half/far"), 0);
    const lectern = (...args: string[]) => runProgram(args, { home, uid });

    const get = await lectern("get", "half/far/b.md");
    expect([get.code, get.stderr]).toEqual([5, expect.stringContaining("No permission to read")]);
    const grep = await lectern("grep", "buzzard|albatross");
    expect(grep.stdout).toContain("well/a.md:3:1: albatross");
    expect(grep.stderr).toMatch(/1 document could not be searched: No permission to read/);
    // Its documents stay in the index.
    await lectern("update");
    expect((await lectern("search", "buzzard")).stdout).toContain("half/far/b.md");
  },
);

test.skipIf(otherUser.skipReason !== undefined)(
  "[core.home.unusable] a home that may not be accessed is an error without a stack",
  async () => {
    const { uid } = otherUser;
    const home = freshHome();
    onTestFinished(() => rmSync(home, { recursive: true }));
    const { code, stderr } = await runProgram(["search", "x"], { home, cwd: "/", uid });

    expect(code).toBeGreaterThan(0);
    expect(stderr).toMatch(/^error: /);
    expect(stderr).not.toMatch(/\n\s+at /);
  },
);

test("[search.mounts.gone] after a dead mount is removed, missing files are removed from the index", async () => {
  if (skipReason !== undefined) return showFigures(`dead mounts: LEFT OUT, because ${skipReason}`);
  const { home, lectern } = await createHome();
  const unmount = makeDead(home, "half/far");
  await lectern("update");
  await lectern("update");
  unmount();
  rmSync(join(home, "files/half/far"), { recursive: true });
  const { stdout } = await lectern("update", "--json");

  expect(JSON.parse(stdout)).not.toHaveProperty("skipped");
  expect(JSON.parse((await lectern("search", "buzzard", "--json")).stdout)).toEqual([]);
});

test("[search.mounts.server] a server with a dead mount picks up edits elsewhere, and those on the mount once it is back", async () => {
  if (skipReason !== undefined) return showFigures(`dead mounts: LEFT OUT, because ${skipReason}`);
  const { home, write } = await createHome();
  const { url, stop } = await startServer(home);
  onTestFinished(async () => void (await stop()));
  const found = searchAt(url);
  await expect.poll(() => found("dunlin")).toEqual(["whole/d.md"]);
  const unmounts = [makeDead(home, "half/far"), makeDead(home, "whole")];
  write("well/f.md", "# F\n\nfulmar\n");
  await expect.poll(() => found("fulmar")).toEqual(["well/f.md"]);
  write("half/near/g.md", "# G\n\ngannet\n");
  await expect.poll(() => found("gannet")).toEqual(["half/near/g.md"]);
  expect(await found("buzzard")).toEqual(["half/far/b.md"]);
  expect(await found("dunlin")).toEqual(["whole/d.md"]);

  for (const unmount of unmounts) unmount();
  write("half/far/b.md", "# B\n\nbittern\n");
  write("whole/d.md", "# D\n\ndotterel\n");
  await expect.poll(() => found("bittern")).toEqual(["half/far/b.md"]);
  await expect.poll(() => found("dotterel")).toEqual(["whole/d.md"]);
});

test.each([
  ["half/far", "b.md", "buzzard"],
  ["whole", "d.md", "dunlin"],
])(
  "[search.mounts.back] documents on a mount of %s are indexed again when it returns, without a file event",
  async (folder, name, before) => {
    if (skipReason !== undefined)
      return showFigures(`dead mounts: LEFT OUT, because ${skipReason}`);
    const { home, write } = await createHome();
    write(`${folder}/${name}`, "# New\n\nnightjar\n");
    const unmount = makeDead(home, folder);
    const { url, stop } = await startServer(home);
    onTestFinished(async () => void (await stop()));
    const found = searchAt(url);
    write("well/f.md", "# F\n\nfulmar\n");
    await expect.poll(() => found("fulmar")).toEqual(["well/f.md"]);
    expect(await found(before)).toEqual([`${folder}/${name}`]);
    unmount();

    await expect.poll(() => found("nightjar")).toEqual([`${folder}/${name}`]);
  },
);

test("[search.collections.disk] the root folder can be a collection, and everything else still works", async () => {
  const { home, lectern } = await createHome();
  const added = await lectern("collection", "add", "/", "--name", "top", "--mask", "*.md");

  expect([added.code, added.stderr]).toEqual([0, ""]);
  expect(added.stdout).toMatch(/^Added collection 'top' with \d+ documents?\n/);
  for (const args of [["status"], ["search", "albatross"], ["update"], ["doctor"]]) {
    const { code, stderr } = await lectern(...args);
    expect([args, code, stderr]).toEqual([args, 0, ""]);
  }
  const { url, stop } = await startServer(home);
  onTestFinished(async () => void (await stop()));
  const found = searchAt(url);
  writeFileSync(join(home, "files/well/h.md"), "# H\n\nheron\n");
  await expect.poll(() => found("heron")).toEqual(["well/h.md"]);
});

function searchAt(url: string) {
  const { callTool } = httpClientAt(url);
  return async (query: string): Promise<string[]> => {
    const { results } = await callTool<{ results: { file: string }[] }>("search", { query });
    return results.map(({ file }) => file);
  };
}
