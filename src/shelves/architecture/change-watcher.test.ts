import { expect, test } from "vitest";
import {
  type ArchitectureLibrary,
  adrs,
  architectureLibrary,
  patterns,
  smallTree,
} from "../../../tests/fixtures/architecture/architecture-library.ts";
import { until } from "../../../tests/programs/process.ts";
import type { Notice } from "../../kernel/notices/notices.ts";

const prompt = (name: string, text: string): string =>
  JSON.stringify({ name, messages: [{ role: "user", content: { type: "text", text } }] });

/** Collects notices, and waits for one of them. */
function collectNotices({ library }: ArchitectureLibrary) {
  const notices: Notice[] = [];
  let wake = () => {};
  library.subscribe((notice) => {
    notices.push(notice);
    wake();
  });
  return {
    notices,
    async until(topic: string, about?: string) {
      const isThere = () => notices.some((one) => one.topic === topic && one.about === about);
      while (!isThere()) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

test("[architecture.live.next-call] a call sees every change written before it, also in new folders", async () => {
  const library = architectureLibrary();
  const uris = async () => {
    const { result } = await library.rpc("resources/list", {});
    return ((result?.resources ?? []) as { uri: string }[]).map(({ uri }) => uri);
  };

  expect(await uris()).toEqual([]);
  library.write(`${patterns}/a.md`, "# A\n");
  expect(await uris()).toEqual(["architecture://patterns/a"]);
  library.write(`${patterns}/deep/er/b.md`, "# B\n");
  expect(await uris()).toEqual(["architecture://patterns/a", "architecture://patterns/deep/er/b"]);
  for (let turn = 0; turn < 20; turn++) {
    library.write(`${patterns}/deep/er/b.md`, `# ${turn % 10}\n`);
    const { result } = await library.rpc("resources/read", {
      uri: "architecture://patterns/deep/er/b",
    });
    expect(result?.contents).toMatchObject([{ text: `# ${turn % 10}\n` }]);
  }
  library.remove(`${patterns}/deep`);
  expect(await uris()).toEqual(["architecture://patterns/a"]);
  library.remove("mcp");
  expect(await uris()).toEqual([]);
  library.write("mcp/prompts/p.json", prompt("p", "one"));
  expect(await library.prompt("p", {})).toBe("one");
  library.write("mcp/prompts/p.json", prompt("p", "two"));
  expect(await library.prompt("p", {})).toBe("two");
});

test("[architecture.live.announced] a running server announces created, changed and deleted documents", async () => {
  const library = architectureLibrary(smallTree);
  const collected = collectNotices(library);
  library.library.startBackground();
  // The list waits for the first scan, with which later scans are compared.
  await until(() => library.logged.some((line) => line.includes("took the lease")), "it keeps");
  await library.rpc("resources/list", {});

  library.write(`${patterns}/deep/er/new.md`, "# New\n");
  await collected.until("resource.updated", "architecture://patterns/deep/er/new");
  expect(collected.notices).toContainEqual({ topic: "resources.changed" });

  collected.notices.length = 0;
  library.write(`${adrs}/010-event-bus.md`, `${smallTree[`${adrs}/010-event-bus.md`]}\nMore.\n`);
  await collected.until("resource.updated", "architecture://adr/010-event-bus");
  expect(collected.notices).toEqual([
    { topic: "resource.updated", about: "architecture://adr/010-event-bus" },
  ]);

  collected.notices.length = 0;
  library.remove(`${patterns}/deep`);
  await collected.until("resources.changed");

  library.write("mcp/prompts/p.json", prompt("p", "one"));
  await collected.until("prompts.changed");
  collected.notices.length = 0;
  library.remove("mcp/prompts/p.json");
  await collected.until("prompts.changed");
});
