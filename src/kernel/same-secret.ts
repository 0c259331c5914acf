import { createHash, timingSafeEqual } from "node:crypto";

/** Takes the same time wherever the two begin to differ. */
export function sameSecret(given: string, secret: string): boolean {
  const [one, other] = [given, secret].map((words) => createHash("sha256").update(words).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}
