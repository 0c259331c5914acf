import { chmodSync, existsSync, mkdtempSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ensureSecret, readSecret, renewSecret } from "./home-secret.ts";

const fresh = () => join(mkdtempSync(join(tmpdir(), "lectern-secret-")), "secret");

test("[house.loopback.secret] a home's secret is made once, for its owner's eyes alone", () => {
  const path = fresh();
  expect(readSecret(path)).toBeUndefined();
  const secret = ensureSecret(path);
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect([ensureSecret(path), readSecret(path)]).toEqual([secret, secret]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(path, ".."))).toEqual(["secret"]);
});

test("[house.loopback.secret] one that others could read, or that is not whole, is made anew", () => {
  const path = fresh();
  const secret = ensureSecret(path);
  chmodSync(path, 0o640);
  const second = ensureSecret(path);
  expect(second).not.toBe(secret);
  writeFileSync(path, "half a sec");
  expect(ensureSecret(path)).not.toBe(second);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("a secret that is made anew replaces the old one in one step", () => {
  const path = fresh();
  const first = renewSecret(path);
  const second = renewSecret(path);
  expect(second).not.toBe(first);
  expect([readSecret(path), existsSync(path)]).toEqual([second, true]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});
