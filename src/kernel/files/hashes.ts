import type { Hash } from "node:crypto";

/** Loaded at the first use: loading takes 5 ms, and most commands do not need it. */
const loadCrypto = () => process.getBuiltinModule("node:crypto");

export const createSha256 = (): Hash => loadCrypto().createHash("sha256");

/** SHA-256, in hexadecimal. */
export const sha256Hex = (content: string | Uint8Array): string =>
  createSha256().update(content).digest("hex");

/** A random key of 192 bits, encoded for an environment variable. */
export const createRandomKey = (): string => loadCrypto().randomBytes(24).toString("base64url");

/** A globally unique name. */
export const createUniqueName = (): string => loadCrypto().randomUUID();
