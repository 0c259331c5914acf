import { createHmac, randomBytes } from "node:crypto";
import { sameSecret } from "../../kernel/same-secret.ts";

const validMs = 15 * 60_000;

/**
 * A code that opens the page once. It is signed with a secret that only the home's owner can read,
 * so making one needs no server, and no credential of an agent helps with it.
 */
export function makeLoginCode(secret: string, now = Date.now()): string {
  const words = `${now.toString(36)}.${randomBytes(16).toString("base64url")}`;
  return `${words}.${signatureOf(words, secret)}`;
}

export interface LoginCodes {
  /** True once for each code, within a quarter of an hour. */
  redeem(code: string): boolean;
}

/** `secret` is read for each code: a server that starts on the same home makes a new one. */
export function openLoginCodes(
  secret: () => string | undefined,
  now: () => number = Date.now,
): LoginCodes {
  const used = new Map<string, number>();
  return {
    redeem(code) {
      const [issued = "", nonce = "", signature = ""] = code.split(".");
      const known = secret();
      if (known === undefined || !sameSecret(signature, signatureOf(`${issued}.${nonce}`, known))) {
        return false;
      }
      const age = now() - Number.parseInt(issued, 36);
      for (const [old, at] of used) if (Math.abs(now() - at) > validMs) used.delete(old);
      if (Math.abs(age) > validMs || used.has(nonce)) return false;
      used.set(nonce, now() - age);
      return true;
    },
  };
}

const signatureOf = (words: string, secret: string): string =>
  createHmac("sha256", secret).update(words).digest("base64url");
