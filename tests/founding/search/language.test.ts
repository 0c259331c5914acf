import { afterAll, beforeAll, expect, test } from "vitest";
import { type QmdServer, startQmdServer } from "./qmd-library.ts";

/** Query syntax, stemming and titles. */
let server: QmdServer;

beforeAll(async () => {
  server = await startQmdServer({
    "docs/resolution.md":
      "# Reference resolution\n\nA reference is resolved in the order of its namespaces.\n",
    "docs/retries.md":
      "# Retries\n\nThe client retries a failed request three times and waits longer each time.\n",
    "docs/limits.md":
      "# Rate limits\n\nRequests over the limit are rejected by the server, not by the client.\n",
    "docs/grammar.md": "# Grammars\n\nA grammarian writes grammatical rules.\n",
    "docs/running.md": "# Shoes\n\nShe ran in running shoes, as every runner runs.\n",
    "docs/phrases.md": "# Order\n\nThe red lamp hangs beside a green door.\n",
    "docs/swapped.md": "# Order again\n\nA green lamp, a red door, and the lamp red with rust.\n",
    "titles/matter.md": "---\ntitle: From the front matter\n---\n\n# A heading\n\nzebra\n",
    "titles/heading.md": "Some words first.\n\n## The first heading\n\n# A later one\n\nzebra\n",
    "titles/a plain name.md": "Nothing but words: zebra\n",
    "titles/fenced.md":
      "```sh\n# no heading\n```\n\n~~~\n# nor this\n~~~\n\n# The real heading\n\nzebra\n",
    "titles/empty-title.md": '---\ntitle: ""\n---\n\n# Behind an empty one\n\nzebra\n',
    "cjk/zh.md": "# 机器学习\n\n自然语言处理是人工智能的重要方向。\n",
    "cjk/ja.md": "# 日本の文化\n\n京都の寺院と庭園について書く。\n",
    "cjk/ko.md": "# 한국어 문서\n\n검색 엔진은 문서를 찾는다.\n",
  });
});

afterAll(() => server.close());

/** The files that every surface finds, best first. */
const filesOnEverySurface = async (query: string): Promise<string[]> =>
  (await server.resultsOf("search", { query })).map(({ file }) => file);

/** The files that REST finds, best first. */
const filesOverRest = async (query: string): Promise<string[]> => {
  const { status, body } = await server.rest("POST /search", { query });
  expect(status, body.detail).toBe(200);
  return body.results.map(({ file }) => file);
};

test("[search.words.question] a question finds documents that contain some of its words", async () => {
  expect(
    (
      await filesOnEverySurface("How many times does the client try again when something failed?")
    )[0],
  ).toBe("docs/retries.md");
  expect((await filesOverRest("what happens with requests over the limit"))[0]).toBe(
    "docs/limits.md",
  );
});

test("[search.words.never-empty] one known word among unknown ones is enough for a result", async () => {
  expect(await filesOnEverySurface("namespaces xylophone quagga brontosaurus")).toEqual([
    "docs/resolution.md",
  ]);
});

test("[search.words.coverage] documents that match more words rank first with a higher score", async () => {
  const hits = await server.resultsOf("search", { query: "client request retries" });

  expect(hits.map(({ file }) => file)).toEqual(["docs/retries.md", "docs/limits.md"]);
  expect(hits[0]?.score).toBeGreaterThan((hits[1]?.score ?? 1) * 1.5);
});

test("[search.words.phrase] a quoted phrase must match word for word", async () => {
  expect(await filesOnEverySurface('"red lamp"')).toEqual(["docs/phrases.md"]);
  expect(await filesOverRest('"green lamp"')).toEqual(["docs/swapped.md"]);
  expect(await filesOverRest('"lamp green"')).toEqual([]);
  expect((await filesOverRest("red lamp")).sort()).toEqual(["docs/phrases.md", "docs/swapped.md"]);
  expect(await filesOverRest('"red lamp" rust')).toEqual(["docs/phrases.md"]);
});

test("[search.words.without] words after a minus are excluded", async () => {
  expect(await filesOnEverySurface("lamp -rust")).toEqual(["docs/phrases.md"]);
  expect(await filesOverRest('lamp -"red lamp"')).toEqual(["docs/swapped.md"]);
  expect(await filesOverRest("lamp -lamp")).toEqual([]);
});

test("[search.words.beginning] a trailing star matches words by prefix", async () => {
  expect(await filesOnEverySurface("namesp*")).toEqual(["docs/resolution.md"]);
  expect(await filesOverRest("gramm*")).toEqual(["docs/grammar.md"]);
  expect(await filesOverRest("zzz*")).toEqual([]);
});

test("[search.words.typos] unknown words are corrected to the closest indexed words", async () => {
  const [best] = await server.resultsOf("search", { query: "referense resolusion", explain: true });

  expect(best).toMatchObject({ file: "docs/resolution.md", title: "Reference resolution" });
  expect(best?.explain?.[0]).toMatchObject({ word: "referense", read: ["reference"] });
  expect(best?.explain?.every(({ strength }) => strength > 0.5)).toBe(true);
  expect((await filesOverRest("namspaces"))[0]).toBe("docs/resolution.md");
  expect(await filesOverRest('"referense resolusion"')).toEqual([]);
});

test("[search.words.stems] inflected forms match each other", async () => {
  expect(await filesOnEverySurface("grammar")).toEqual(["docs/grammar.md"]);
  expect(await filesOverRest("retry")).toEqual(["docs/retries.md"]);
  expect((await filesOverRest("rejecting"))[0]).toBe("docs/limits.md");
  expect(await filesOverRest("shoe")).toEqual(["docs/running.md"]);
});

test("[search.words.case] search is case-insensitive and ignores accents", async () => {
  server.write("docs/cafe.md", "# Café\n\nLe CAFÉ crème.\n");
  await server.rest("POST /index");
  expect(await filesOnEverySurface("café")).toEqual(["docs/cafe.md"]);
  for (const query of ["cafe", "CAFE", "creme"]) {
    expect(await filesOverRest(query), query).toEqual(["docs/cafe.md"]);
  }
});

test("[search.words.cjk] two-character words are found in Chinese, Japanese and Korean", async () => {
  expect(await filesOnEverySurface("学习")).toEqual(["cjk/zh.md"]);
  expect(await filesOverRest("语言")).toEqual(["cjk/zh.md"]);
  expect(await filesOverRest("京都")).toEqual(["cjk/ja.md"]);
  expect(await filesOverRest("庭園")).toEqual(["cjk/ja.md"]);
  expect(await filesOverRest("검색")).toEqual(["cjk/ko.md"]);
  expect(await filesOverRest('"人工智能"')).toEqual(["cjk/zh.md"]);
  expect(await filesOverRest('"智能人工"')).toEqual([]);
});

test("[search.titles.order] the title is taken from the front matter, else the first heading, else the file name", async () => {
  const hits = await server.resultsOf("search", { query: "zebra", collection: "titles" });

  expect(Object.fromEntries(hits.map(({ file, title }) => [file, title]))).toEqual({
    "titles/matter.md": "From the front matter",
    "titles/heading.md": "The first heading",
    "titles/a plain name.md": "a plain name",
    "titles/fenced.md": "The real heading",
    "titles/empty-title.md": "Behind an empty one",
  });
});

test("[search.titles.everywhere] get and the resource have the same title", async () => {
  const { title, uri } = await server.documentOf({ file: "titles/matter.md" });
  expect(title).toBe("From the front matter");
  for (const { over, ask } of server.agents) {
    const { result } = await ask("resources/read", { uri });
    expect(result, over).toMatchObject({ contents: [{ title }] });
  }
});

test("[search.titles.fences] headings inside code fences are ignored", async () => {
  const [hit] = await server.resultsOf("search", { query: "zebra", path: "titles/fenced.md" });

  expect(hit).toMatchObject({ title: "The real heading", headings: ["The real heading"] });
  expect((await server.failureOf("get", { file: "titles/fenced.md#no-heading" })).status).toBe(404);
});
