import { chmodSync, mkdtempSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ensureSecret, readSecret } from "./home-secret.ts";

const fresh = () => join(mkdtempSync(join(tmpdir(), "lectern-secret-")), "secret");

test("[core.loopback.secret] a home's secret is created once, readable by its owner only", () => {
  const path = fresh();
  expect(readSecret(path)).toBeUndefined();
  const secret = ensureSecret(path);
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect([ensureSecret(path), readSecret(path)]).toEqual([secret, secret]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(path, ".."))).toEqual(["secret"]);
});

test("[core.loopback.secret] a secret that others could read, or that is incomplete, is replaced", () => {
  const path = fresh();
  const secret = ensureSecret(path);
  chmodSync(path, 0o640);
  const second = ensureSecret(path);
  expect(second).not.toBe(secret);
  writeFileSync(path, "half a sec");
  expect(ensureSecret(path)).not.toBe(second);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});
