import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import {
  databaseOf,
  interviewLibrary,
  projectShelves,
} from "../../../tests/fixtures/qualitative/project-library.ts";
import { architecture } from "./shelf.ts";

test("[qualitative.privacy.notices] a decision whose file becomes private leaves the list without being named", async () => {
  const { call, library, root, notices } = await interviewLibrary({}, [
    ...projectShelves,
    architecture,
  ]);
  const folder = join(root, "docs", "adr");
  mkdirSync(folder, { recursive: true });
  const write = (name: string, text: string) =>
    writeFileSync(join(folder, name), `# ${text}\n\n## Status\n\nAccepted\n`);
  write("0001-quicksilver.md", "1. Quicksilver");
  const db = databaseOf(`${root}/interviews.qda/data.qda`);
  db.run("UPDATE source SET mediapath = ? WHERE id = 1", `docs:${folder}/0001-quicksilver.md`);
  library.startBackground();
  let round = 0;
  await vi.waitFor(
    () => {
      write("0002-lamp.md", `2. Lamp ${round++}`);
      expect(JSON.stringify(notices)).toContain("architecture://adr/0002-lamp");
    },
    { timeout: 60_000, interval: 1_000 },
  );

  notices.length = 0;
  await call("set_source_privacy", { source_id: 1 }, { surface: "cli" });
  await vi.waitFor(
    () => expect(notices).toContainEqual(expect.objectContaining({ topic: "resources.changed" })),
    { timeout: 60_000 },
  );
  expect(JSON.stringify(await call("list_architecture"))).not.toContain("quicksilver");
  expect(JSON.stringify(notices)).not.toContain("quicksilver");
});
