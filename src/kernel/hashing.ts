import type { Hash } from "node:crypto";

/** Loaded at the first use: that takes 5 ms, and most commands need nothing of it. */
const crypto = () => process.getBuiltinModule("node:crypto");

export const newHash = (): Hash => crypto().createHash("sha256");

/** SHA-256, in hexadecimal. */
export const hashOf = (content: string | Uint8Array): string =>
  newHash().update(content).digest("hex");

/** A secret of 192 bits, fit for an environment variable. */
export const newKey = (): string => crypto().randomBytes(24).toString("base64url");

/** A name that nobody else has. */
export const uniqueName = (): string => crypto().randomUUID();
