import { expect, test } from "vitest";
import { describeEveryStore, scriptOf } from "../../../tests/fixtures/stores/every-store.ts";
import {
  createBaseline,
  currentBaseline,
  reinstateBaseline,
  updateBaselineSymbols,
} from "./drift/baselines.ts";
import { findAnalysisRow, listAnalysisRows, pruneAnalyses, upsertAnalysis } from "./storage.ts";
import { repositoryTables } from "./tables.ts";

describeEveryStore(scriptOf(repositoryTables), (openStore) => {
  test("[scale.repository.analyses] analyses are replaced by id, listed newest first, and pruned", async () => {
    const store = await openStore();
    const save = (id: string, form = 2) =>
      store.run(upsertAnalysis({ id, root: `/${id}`, analysis: `{"id":"${id}"}` }, form));
    for (const id of ["a", "b", "c", "a"]) await save(id);
    await save("old", 1);
    const listed = async () => (await store.run(listAnalysisRows(2))).map(({ id }) => id);
    expect(await listed()).toEqual(["a", "c", "b"]);
    expect(await store.run(findAnalysisRow("c", 2))).toMatchObject({ root: "/c" });
    expect(await store.run(findAnalysisRow("old", 2))).toBeUndefined();
    await store.run(pruneAnalyses(3));
    expect(await listed()).toEqual(["a", "c"]);
  });

  test("[scale.repository.baselines] the newest baseline is current, and an earlier one can be reinstated", async () => {
    const store = await openStore();
    const scope = { root: "/repository", pages: "docs" };
    expect(await store.run(currentBaseline(scope))).toBeUndefined();
    const first = await store.run(createBaseline(scope, []));
    const second = await store.run(createBaseline(scope, []));
    expect(await store.run(currentBaseline(scope))).toMatchObject({ id: second, symbols: [] });
    await store.run(updateBaselineSymbols({ id: second, symbols: [] }));
    const again = await store.run(reinstateBaseline(first));
    expect(again).toMatchObject({ former: second, root: "/repository" });
    expect(await store.run(currentBaseline(scope))).toMatchObject({ id: again.id });
    for (let more = 0; more < 5; more++) await store.run(createBaseline(scope, []));
    const reinstate = async () => store.run(reinstateBaseline(first));
    await expect(reinstate()).rejects.toThrow("no longer exists");
  });
});
