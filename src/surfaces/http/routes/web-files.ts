import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { Context } from "hono";
import { getMimeType } from "hono/utils/mime";
import { createSha256 } from "../../../kernel/files/hashes.ts";

/** The built web app. Files are listed once at startup, which rules out path traversal. */
export interface WebFiles {
  has(path: string): boolean;
  /** The response for a request path such as `/assets/index-BxK3a9Zd.js`. */
  answer(c: Context, path: string): Promise<Response | undefined>;
  /** The HTML page; undefined if the web app is not built. */
  page(): Promise<string | undefined>;
}

export function loadWebFiles(folder: string | undefined): WebFiles {
  const files = new Map(folder === undefined ? [] : listWebFiles(folder));
  return {
    has: (path) => files.has(path),
    async answer(c, path) {
      const bytes = await readOptional(files.get(path));
      if (!bytes) return undefined;
      const etag = `"${createSha256().update(bytes).digest("base64url").slice(0, 22)}"`;
      const headers = {
        etag,
        "content-type": getMimeType(path) ?? "application/octet-stream",
        "cache-control": isHashed(path) ? "private, max-age=31536000, immutable" : "no-cache",
      };
      if (c.req.header("if-none-match") === etag) return c.body(null, 304, headers);
      return c.body(bytes, 200, headers);
    },
    page: async () => (await readOptional(files.get("/index.html")))?.toString("utf8"),
  };
}

/** Symbolic links are neither followed nor served: their targets are not part of the web app. */
function listWebFiles(folder: string): [string, string][] {
  let entries: ReturnType<typeof readFolder>;
  try {
    entries = readFolder(folder);
  } catch {
    return [];
  }
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const file = join(entry.parentPath, entry.name);
      return [`/${relative(folder, file).split(sep).join("/")}`, file];
    });
}

const readFolder = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true });

async function readOptional(file: string | undefined): Promise<Buffer<ArrayBuffer> | undefined> {
  if (file === undefined) return undefined;
  try {
    return await readFile(file);
  } catch {
    return undefined;
  }
}

/** These names contain a content hash, so the files can be cached forever. */
const isHashed = (path: string): boolean => /^\/assets\/.+-[\w-]{8,}\.\w+$/.test(path);
