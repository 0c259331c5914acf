import { expect, test } from "vitest";
import { modelServer } from "../../../../tests/fixtures/search/model-server.ts";
import { searchLibrary } from "../../../../tests/fixtures/search/search-library.ts";
import { Failure } from "../../../kernel/failure.ts";
import { noteMessages } from "../../../kernel/operations/note.ts";
import { createSemanticIndex } from "./semantic-index.ts";
import { openTextEmbedding } from "./text-embedding.ts";

async function embeddingLibrary(files: Record<string, string>) {
  const server = await modelServer();
  const { library, call } = await searchLibrary(files);
  await library.runtime.store.run(
    library.runtime.config.update((draft) => {
      const embedding = { kind: "openai" as const, url: server.url, model: "words" };
      draft.models = { embedding, reranking: { kind: "none" } };
    }),
  );
  return { server, call, runtime: library.runtime };
}

const noteAbout = (name: string, text: string) => ({ [name]: `# Note\n\n${text}\n` });

test("[search.chunks.once] a text in several concurrent calls is embedded once", async () => {
  const { server, runtime } = await embeddingLibrary({});
  const { embedder } = runtime.models;
  const semanticIndex = createSemanticIndex(runtime);
  const options = { parallelism: 4, signal: new AbortController().signal };
  const embedTexts = openTextEmbedding({ store: runtime.store, semanticIndex }, embedder, options);
  const texts = Array.from({ length: 100 }, (_, number) => `text ${number}`);
  const part = (from: number, to: number) =>
    new Map(texts.slice(from, to).map((text) => [`hash of ${text}`, text]));

  await Promise.all([embedTexts(part(0, 60)), embedTexts(part(40, 100)), embedTexts(part(0, 100))]);

  expect(server.asked.flatMap(({ body }) => body.input).sort()).toEqual(texts.sort());
  const { idsOf } = semanticIndex.vectorStoreOf(embedder);
  const stored = await runtime.store.run(idsOf([...part(0, 100).keys()]));
  expect(stored.size).toBe(100);
});

test("[search.embed.coverage] a semantic search finds what is embedded so far, and says how much that is", async () => {
  const { call } = await embeddingLibrary({
    ...noteAbout("notes/lamp.md", "The keeper lights the lamp."),
    ...noteAbout("notes/empty.md", ""),
    ...noteAbout("boats/boat.md", "The boat leaves the harbour."),
  });
  const search = async (name: string, input: object = {}) => {
    const answer = await call(name, { query: "the lamp of the keeper", minScore: 0, ...input });
    if (answer instanceof Failure) throw answer;
    return { results: answer.results, notes: noteMessages(answer) };
  };
  await call("embed", { collections: ["notes"] });
  const partial =
    "Only 2 of 3 documents have vectors and can be found by meaning. Run 'qmd embed' to embed the others.";

  for (const name of ["vsearch", "query"]) {
    const { results, notes } = await search(name);
    expect(notes).toEqual([partial]);
    expect(results).toMatchObject([{ file: "notes/lamp.md" }, { file: "notes/empty.md" }]);
    expect((await search(name, { collection: "notes" })).notes).toEqual([]);
  }
  expect((await search("query", { rerank: false })).notes).toEqual([partial]);
  expect((await search("search")).notes).toEqual([]);

  await call("embed", {});
  for (const name of ["vsearch", "query"]) expect((await search(name)).notes).toEqual([]);
});
