import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256Hex } from "../../../src/kernel/files/hashes.ts";
import { type ModelServer, openModelServer } from "../../fixtures/search/word-models.ts";
import { contentOf, type EmbeddedStore, storeAfterKill } from "../../programs/embedded-store.ts";
import { differences, lost, prematureReports } from "../../programs/embedding-faults.ts";
import { openGrowingFolder } from "../../programs/growing-folder.ts";
import { filesBelow } from "../files-below.ts";
import { openInProcessApp } from "../in-process-app.ts";
import type { CreateKillWorkload } from "./kill-workload.ts";

/**
 * Embeds pages with an instant model, so that most kills interrupt storing the vectors. Stored
 * vectors are kept, and the result equals that of a run without kills.
 */
export const vectors: CreateKillWorkload = (home, random) => {
  const folder = join(home, "pages");
  const copyFolder = join(home, "copy");
  const documents = openGrowingFolder(folder, random);
  // By the hash of a document reported as finished, the number of its chunks at that time.
  const finishedChunks = new Map<string, number>();
  // The hash of each file, when all of them had vectors.
  let acknowledged = new Map<string, string>();
  let before: Pick<EmbeddedStore, "vectors"> = { vectors: new Map() };
  let model: ModelServer | undefined;

  const hashes = (): Map<string, string> =>
    new Map(filesBelow(folder).map((name) => [name, sha256Hex(readFileSync(join(folder, name)))]));

  const configure = (targetHome: string): void => {
    mkdirSync(targetHome, { recursive: true });
    const endpoint = { kind: "openai", url: model?.url, model: "words" };
    writeFileSync(
      join(targetHome, "config.json"),
      JSON.stringify({ models: { embedding: endpoint } }),
    );
  };

  return {
    async prepare(client) {
      model = await openModelServer();
      configure(home);
      documents.write(40);
      await client.callAsPerson("POST", "/collections/add", { path: folder, name: "pages" });
      await client.callAsPerson("POST", "/embed/index");
    },
    async step(client) {
      documents.write(4);
      await client.callAsPerson("POST", "/update");
      await client.callAsPerson("POST", "/embed/index");
      acknowledged = hashes();
    },
    inspect() {
      const after = storeAfterKill(home, copyFolder);
      const unfinished = [...hashes()].filter(
        ([name, hash]) => acknowledged.get(name) === hash && !after.finished.has(hash),
      );
      const losses = [...after.inconsistencies, ...lost(before, after)];
      if (unfinished.length > 0) losses.push(`${unfinished.length} documents lost their vectors`);
      for (const [hash, chunks] of after.finished) finishedChunks.set(hash, chunks);
      before = after;
      return losses;
    },
    check: async () => [],
    async finish() {
      await embedAll(home, []);
      const end = storeAfterKill(home, copyFolder);
      const fresh = join(home, "fresh");
      configure(fresh);
      await embedAll(fresh, [{ path: folder, name: "pages" }]);
      return [
        ...end.inconsistencies,
        ...(end.needsEmbedding > 0 ? [`${end.needsEmbedding} documents still need vectors`] : []),
        ...prematureReports(finishedChunks, end),
        ...differences(contentOf(home), contentOf(fresh)),
      ];
    },
    async close() {
      await model?.stop();
    },
  };
};

async function embedAll(
  home: string,
  collections: readonly { path: string; name: string }[],
): Promise<void> {
  const { call, close } = openInProcessApp(home);
  try {
    for (const collection of collections) await call("add_collection", collection);
    await call("update_collections");
    await call("embed");
  } finally {
    await close();
  }
}
