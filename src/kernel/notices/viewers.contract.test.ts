import { expect, test } from "vitest";
import { describeEveryStore, scriptOf } from "../../../tests/fixtures/stores/every-store.ts";
import { openPageViewers, viewerTables } from "./viewers.ts";

describeEveryStore(scriptOf(viewerTables), (openStore) => {
  test("[core.viewers.counted] pages of all processes are counted until they close or time out", async () => {
    const store = await openStore();
    let now = 1_800_000_000_000;
    const openProcess = () => {
      const viewers = openPageViewers(() => now);
      return {
        count: () => store.run(viewers.count()),
        reportPages: (pages: number) => store.run(viewers.reportPages(pages)),
      };
    };
    const [one, other] = [openProcess(), openProcess()];
    expect(await one.count()).toBe(0);

    await one.reportPages(2);
    await other.reportPages(1);
    expect([await one.count(), await other.count()]).toEqual([3, 3]);
    await one.reportPages(1);
    expect(await other.count()).toBe(2);

    now += 60_000;
    await one.reportPages(1);
    expect(await other.count()).toBe(1);
    now -= 3_600_000;
    expect(await other.count()).toBe(0);
    await other.reportPages(4);
    expect(await one.count()).toBe(4);
    await other.reportPages(0);
    expect(await one.count()).toBe(0);
  });
});
