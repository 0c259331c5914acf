import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openLease } from "./lease.ts";

test("[house.home.own-lease] the lease is a file of its owner alone, also where it was everybody's", () => {
  const folder = mkdtempSync(join(tmpdir(), "lectern-own-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const modeOf = (name: string) => statSync(join(folder, name)).mode & 0o777;
  writeFileSync(join(folder, "old.sqlite"), "");
  chmodSync(join(folder, "old.sqlite"), 0o644);

  for (const name of ["new.sqlite", "old.sqlite"]) {
    const lease = openLease(join(folder, name));
    expect(lease.take()).toBe(true);
    lease.close();
    expect([name, modeOf(name)]).toEqual([name, 0o600]);
  }
});
