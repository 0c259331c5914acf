import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openLease } from "./lease.ts";

test("[core.home.own-lease] the lease file is readable by its owner only, even if it was public before", () => {
  const folder = mkdtempSync(join(tmpdir(), "lectern-own-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const modeOf = (name: string) => statSync(join(folder, name)).mode & 0o777;
  writeFileSync(join(folder, "old.sqlite"), "");
  chmodSync(join(folder, "old.sqlite"), 0o644);

  for (const name of ["new.sqlite", "old.sqlite"]) {
    const lease = openLease(join(folder, name));
    expect(lease.tryAcquire()).toBe(true);
    lease.close();
    expect([name, modeOf(name)]).toEqual([name, 0o600]);
  }
});
