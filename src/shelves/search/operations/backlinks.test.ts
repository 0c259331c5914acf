import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { searchLibrary } from "../../../../tests/fixtures/search/search-library.ts";

test("[search.backlinks.found] inline links, definitions, encoded names, omitted extensions and folders are links", async () => {
  const { call } = await searchLibrary({
    "docs/guide/a lamp.md": "# Lamp",
    "docs/guide/README.md": "# Guide",
    "docs/one.md": "# One\n\nSee [the lamp](guide/a%20lamp.md#wick).",
    "docs/guide/two.md": "Text.\n\nSee [it][lamp].\n\n[lamp]: <../guide/a lamp.md>\n",
    "docs/deep/er/three.md": "[x](/guide/a%20lamp) and ![p](../../guide/)",
    "other/four.md": "[x](guide/a%20lamp.md)",
  });
  const to = async (file: string) => (await call("backlinks", { file })) as unknown;

  expect(await to("docs/guide/a lamp.md")).toEqual({
    links: [
      {
        file: "docs/deep/er/three.md",
        title: "three",
        line: 1,
        text: "[x](/guide/a%20lamp) and ![p](../../guide/)",
      },
      { file: "docs/guide/two.md", title: "two", line: 3, text: "See [it][lamp]." },
      {
        file: "docs/one.md",
        title: "One",
        line: 3,
        text: "See [the lamp](guide/a%20lamp.md#wick).",
      },
    ],
    remaining: 0,
  });
  expect(await to("docs/guide/README.md")).toMatchObject({
    links: [{ file: "docs/deep/er/three.md" }],
  });
  expect(await to("docs/one.md")).toEqual({ links: [], remaining: 0 });
});

test("[search.backlinks.across] a link between collections is listed, from folders beside and above", async () => {
  const { call } = await searchLibrary({
    "docs/guide/lamp.md": "# Lamp",
    "notes/one.md": "See [the lamp](../docs/guide/lamp.md#wick).",
    "notes/deep/two.md": "See [the lamp](../../docs/guide/lamp).",
    "notes/three.md": "Lost: [the lamp](../guide/lamp.md), [far](../../../docs/guide/lamp.md).",
  });

  expect(await call("backlinks", { file: "docs/guide/lamp.md" })).toMatchObject({
    links: [{ file: "notes/deep/two.md" }, { file: "notes/one.md", line: 1 }],
    remaining: 0,
  });
});

test("[search.backlinks.code] code, other URLs, paths that lead outside and the page itself do not count", async () => {
  const { call } = await searchLibrary({
    "docs/lamp.md": "[here](lamp.md) [also](lamp)",
    "docs/code.md": "```\n[x](lamp.md)\n```\n\n`[x](lamp.md)`",
    "docs/outside.md": "[x](https://lamp.md) [y](../docs/lamp.md) [z](javascript:lamp.md)",
  });

  expect(await call("backlinks", { file: "docs/lamp.md" })).toEqual({ links: [], remaining: 0 });
});

test("[search.backlinks.wiki] wiki links resolve by path or closest name, embedded or with a label", async () => {
  const { call } = await searchLibrary({
    "vault/B.md": "# B",
    "vault/sub/C.md": "# C",
    "vault/sub/B.md": "# The other",
    "vault/a1.md": "See [[B]].",
    "vault/a2.md": "Text.\n\nSee [[b.md|shown]].",
    "vault/a3.md": "| a |\n|---|\n| [[B\\|in a table]] |",
    "vault/deep/a4.md": "[[B#A heading]]",
    "vault/deep/a5.md": "![[B]]",
    "vault/sub/a6.md": "[[B]] and [[../B]]",
    "vault/a7.md": "[[sub/B]], [[sub/C]] and [[c]]",
    "vault/none.md": "`[[B]]` [[B: Kind]] [[#B]] [[Be]] [[old/B]]\n\n```\n[[B]]\n```",
    "other/a8.md": "[[B]]",
  });
  const to = async (file: string) => {
    const answer = (await call("backlinks", { file })) as { links: Record<string, unknown>[] };
    return answer.links.map(({ file, line }) => `${file}:${line}`);
  };

  expect(await to("vault/B.md")).toEqual([
    "vault/a1.md:1",
    "vault/a2.md:3",
    "vault/a3.md:3",
    "vault/deep/a4.md:1",
    "vault/deep/a5.md:1",
    "vault/sub/a6.md:1",
  ]);
  expect(await to("vault/sub/B.md")).toEqual(["vault/a7.md:1", "vault/sub/a6.md:1"]);
  expect(await to("vault/sub/C.md")).toEqual(["vault/a7.md:1"]);
});

test("[search.wiki-links.meant] each linked name of a document is listed with the document it resolves to", async () => {
  const { call, library, home } = await searchLibrary({
    "vault/a.md": "[[B#One]], [[B]],\n[[c|the third]], [[B|again]] and [[Gone]] `[[d]]`",
    "vault/B.md": "",
    "vault/far/C.md": "",
  });
  expect(await call("wiki_links", { file: "vault/a.md" })).toEqual({
    links: [
      { name: "B#One", line: 1, file: "vault/B.md" },
      { name: "B", line: 1, file: "vault/B.md" },
      { name: "c", line: 2, file: "vault/far/C.md" },
      { name: "Gone", line: 2 },
    ],
  });

  writeFileSync(join(home, "vault/gone.md"), "It is back.");
  await library.runtime.indexer.scan([
    { name: "vault", path: join(home, "vault"), pattern: "**/*" },
  ]);
  expect(await call("wiki_links", { file: "vault/a.md" })).toMatchObject({
    links: [{}, {}, {}, { name: "Gone", file: "vault/gone.md" }],
  });
});

test("a truncated list says how many remain, and follows the files", async () => {
  const { call, library, home } = await searchLibrary({
    "docs/lamp.md": "# Lamp",
    ...Object.fromEntries(
      Array.from({ length: 5 }, (_, at) => [`docs/p${at}.md`, `[lamp](lamp.md)`]),
    ),
  });
  expect(await call("backlinks", { file: "docs/lamp.md", limit: 2 })).toMatchObject({
    links: [{ file: "docs/p0.md" }, { file: "docs/p1.md" }],
    remaining: 3,
  });

  rmSync(join(home, "docs/p0.md"));
  writeFileSync(join(home, "docs/p1.md"), "No more.");
  await library.runtime.indexer.scan([{ name: "docs", path: join(home, "docs"), pattern: "**/*" }]);

  expect(await call("backlinks", { file: "docs/lamp.md" })).toMatchObject({
    links: [{ file: "docs/p2.md" }, { file: "docs/p3.md" }, { file: "docs/p4.md" }],
  });
});
