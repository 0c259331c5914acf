import { timingSafeEqual } from "node:crypto";
import { createSha256 } from "../files/hashes.ts";

/** Compares secrets in constant time. They are hashed because the comparison needs equal lengths. */
export function secretsEqual(candidate: string, secret: string): boolean {
  return timingSafeEqual(sha256(candidate), sha256(secret));
}

const sha256 = (text: string): Buffer => createSha256().update(text).digest();
