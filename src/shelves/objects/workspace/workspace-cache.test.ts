import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { contentsOf, objectFolder } from "../../../../tests/fixtures/objects/object-folder.ts";
import { randomNumbers } from "../../../../tests/fixtures/random-numbers.ts";
import type { WorkspaceCache } from "./workspace-cache.ts";

const workspace = "# Home [[home: __Workspace]]\n";

const ids = async (workspaces: WorkspaceCache, path = "."): Promise<string[]> =>
  (await workspaces.read(path)).objects.map(({ id }) => id);

test("[objects.fresh.every-change] a call sees every change made before it", async () => {
  for (const seed of [1, 2, 3]) {
    const folder = objectFolder({ "readme.qmd.md": workspace });
    const kept = folder.open();
    const random = randomNumbers(seed);
    const pick = <Item>(items: readonly Item[]): Item | undefined =>
      items[Math.floor(random() * items.length)];
    const folders = ["", "a/", "b/", "a/deep/", "b/deep/er/"];
    const names = ["one", "two", "three"].map((name) => `${name}.qmd.md`);
    const some = () => `${pick(folders)}${pick(names)}`;
    // Of equal length, so that neither size nor a coarse clock distinguishes them.
    const text = () => `# A [[id_${Math.floor(random() * 9)}: K]]\n\n- to: [[#id_1]]\n`;
    const steps: (() => void)[] = [
      () => folder.put(some(), text()),
      () => folder.put(some(), text()),
      () => folder.put(some(), text()),
      () => folder.remove(some()),
      () => folder.remove(pick(folders.slice(1)) ?? ""),
      () => {
        const from = some();
        if (existsSync(folder.place(from))) folder.move(from, some());
      },
      () => {
        const [from, to] = [pick(["a", "b", "a/deep"]) ?? "", `moved${Math.floor(random() * 3)}`];
        if (!existsSync(folder.place(from))) return;
        folder.remove(to);
        folder.move(from, to);
      },
      () => {
        const from = pick(["moved0", "moved1", "moved2"]) ?? "";
        if (existsSync(folder.place(from)) && !existsSync(folder.place("a")))
          folder.move(from, "a");
      },
      () => {
        const path = some();
        if (!existsSync(folder.place(path))) return;
        writeFileSync(folder.place(`${path}.new`), text());
        renameSync(folder.place(`${path}.new`), folder.place(path));
      },
      () => folder.put(".qmdcignore", random() < 0.5 ? "" : "deep/\n"),
      () => folder.put(`${pick(folders)}readme.qmd.md`, `# N [[n_${pick([1, 2])}: __Namespace]]\n`),
    ];
    for (let round = 0; round < 100; round++) {
      for (let step = 0; step < 1 + random() * 2; step++) pick(steps)?.();
      if (!existsSync(folder.place("readme.qmd.md"))) folder.put("readme.qmd.md", workspace);
      const [seen, fresh] = [await kept.read("."), await folder.view()];
      expect(contentsOf(seen), `seed ${seed}, round ${round}`).toEqual(contentsOf(fresh));
    }
  }
});

test("[objects.fresh.same-size] two writes of equal size within one clock tick are both detected", async () => {
  const folder = objectFolder({ "readme.qmd.md": workspace });
  const kept = folder.open();
  for (let number = 100; number < 400; number++) {
    writeFileSync(folder.place("one.qmd.md"), `# One [[id_${number}]]\n`);
    expect(await ids(kept)).toContain(`id_${number}`);
  }
});

test("[objects.fresh.bursts] none of thousands of changes in one event loop turn is lost", async () => {
  const folder = objectFolder({ "readme.qmd.md": workspace });
  const kept = folder.open();
  await kept.read(".");
  for (let number = 0; number < 2_000; number++) {
    folder.put(`burst_${number % 1_000}.qmd.md`, `# N [[n_${number}]]\n`);
  }
  const seen = await ids(kept);
  expect(seen).toHaveLength(1_001);
  expect(seen).toContain("n_1999");
});

test("[objects.fresh.full-queue] a change whose event was dropped by the system is still detected", async () => {
  const folder = objectFolder({ "readme.qmd.md": workspace, "one.qmd.md": "# [[one]]\n" });
  const noisy = objectFolder({ "readme.qmd.md": workspace, "other.qmd.md": "" });
  const kept = folder.open();
  await kept.read(noisy.root);
  await kept.read(".");
  await kept.read(".");
  // The queue holds about 16,000 events, for all watched folders of the process.
  for (let time = 0; time < 9_000; time++) {
    for (const name of ["readme.qmd.md", "other.qmd.md"]) utimesSync(noisy.place(name), time, time);
  }
  folder.put("one.qmd.md", "# [[two]]\n");
  expect(await ids(kept)).toEqual(["home", "two"]);
});

test("[objects.fresh.other-names] a file written through another of its names is read again", async () => {
  const folder = objectFolder({ "readme.qmd.md": workspace, ".store/page.md": "# A [[before]]\n" });
  symlinkSync(".store/page.md", folder.place("link.qmd.md"));
  writeFileSync(join(folder.above, "second.md"), "# B [[hard_before]]\n");
  linkSync(join(folder.above, "second.md"), folder.place("hard.qmd.md"));
  const kept = folder.open();
  expect(await ids(kept)).toEqual(["home", "hard_before", "before"]);

  folder.put(".store/page.md", "# A [[after_]]\n");
  writeFileSync(join(folder.above, "second.md"), "# B [[hard_after_]]\n");
  expect(await ids(kept)).toEqual(["home", "hard_after_", "after_"]);
});

test("[objects.fresh.replaced-folders] changes in a folder that replaced another of the same name are detected", async () => {
  const folder = objectFolder({ "readme.qmd.md": workspace, "sub/deep/one.qmd.md": "# [[one]]\n" });
  const kept = folder.open();
  await kept.read(".");
  renameSync(folder.place("sub"), join(folder.above, "away"));
  folder.put("sub/deep/one.qmd.md", "# [[two]]\n");
  expect(await ids(kept)).toEqual(["home", "two"]);
  folder.put("sub/deep/one.qmd.md", "# [[six]]\n");
  expect(await ids(kept)).toEqual(["home", "six"]);

  renameSync(folder.root, join(folder.above, "gone"));
  mkdirSync(folder.root);
  folder.put("readme.qmd.md", "# [[other: __Workspace]]\n");
  expect(await ids(kept)).toEqual(["other"]);
  folder.put("readme.qmd.md", "# [[again: __Workspace]]\n");
  expect(await ids(kept)).toEqual(["again"]);
});

test("[objects.fresh.folder-above] replacing a folder far above the workspace is detected", async () => {
  const folder = objectFolder({ "far/near/readme.qmd.md": workspace });
  const kept = folder.open();
  await kept.read("far/near");
  folder.move("far", "old");
  folder.put("far/near/readme.qmd.md", "# [[second: __Workspace]]\n");
  expect(await ids(kept, "far/near")).toEqual(["second"]);
  appendFileSync(folder.place("far/near/readme.qmd.md"), "\n## [[more]]\n");
  expect(await ids(kept, "far/near")).toEqual(["second", "more"]);
});

test("[objects.fresh.own-parse] only changed files are parsed again", async () => {
  const folder = objectFolder({ "readme.qmd.md": workspace, "one.qmd.md": "# [[one]]\n" });
  const kept = folder.open();
  const first = await kept.read(".");
  expect(await kept.read(".")).toBe(first);

  folder.put("one.qmd.md", "# [[two]]\n");
  const second = await kept.read(".");
  expect(second.objects[0]?.record).toBe(first.objects[0]?.record);
  expect(second.objects[1]?.record).not.toBe(first.objects[1]?.record);

  folder.put("one.qmd.md", "# [[two]]\n");
  expect(await kept.read(".")).toBe(second);
});

test("[objects.fresh.together] concurrent calls share one view, and a failure does not affect later calls", async () => {
  const folder = objectFolder({ "readme.qmd.md": workspace });
  const kept = folder.open();
  const views = await Promise.all(Array.from({ length: 20 }, () => kept.read(".")));
  expect(new Set(views).size).toBe(1);

  folder.remove("readme.qmd.md");
  await expect(kept.read(".")).rejects.toMatchObject({ code: "not-resolved" });
  folder.put("readme.qmd.md", workspace);
  expect(await ids(kept)).toEqual(["home"]);
});

test("[objects.fresh.many] more workspaces than the cache holds work in turn", async () => {
  const folder = objectFolder();
  const names = Array.from({ length: 12 }, (_, number) => `w${number}`);
  for (const name of names) folder.put(`${name}/readme.qmd.md`, `# [[${name}: __Workspace]]\n`);
  const kept = folder.open();
  for (const round of ["a", "b"]) {
    for (const name of names) {
      folder.put(`${name}/more.qmd.md`, `# [[${name}_${round}]]\n`);
      expect(await ids(kept, name)).toEqual([name, `${name}_${round}`]);
    }
  }
  expect(readdirSync(dirname(folder.place("w0"))).length).toBe(12);
});
