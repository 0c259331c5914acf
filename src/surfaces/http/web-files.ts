import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { Context } from "hono";
import { getMimeType } from "hono/utils/mime";

/** The built web app. Only files that were there at the start have a name here, so no path leads out. */
export interface WebFiles {
  has(path: string): boolean;
  /** Answers a file by the path of its request: `/assets/index-BxK3a9Zd.js`. */
  answer(c: Context, path: string): Promise<Response | undefined>;
  /** The page itself; none where the web app is not built. */
  page(): Promise<string | undefined>;
}

export function openWebFiles(folder: string | undefined): WebFiles {
  const files = new Map(folder === undefined ? [] : listed(folder));
  return {
    has: (path) => files.has(path),
    async answer(c, path) {
      const bytes = await contentOf(files.get(path));
      if (!bytes) return undefined;
      const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
      const headers = {
        etag,
        "content-type": getMimeType(path) ?? "application/octet-stream",
        "cache-control": isHashed(path) ? "private, max-age=31536000, immutable" : "no-cache",
      };
      if (c.req.header("if-none-match") === etag) return c.body(null, 304, headers);
      return c.body(bytes, 200, headers);
    },
    page: async () => (await contentOf(files.get("/index.html")))?.toString("utf8"),
  };
}

/** Links are neither followed nor served: what they point at is not the web app. */
function listed(folder: string): [string, string][] {
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

async function contentOf(file: string | undefined): Promise<Buffer<ArrayBuffer> | undefined> {
  if (file === undefined) return undefined;
  try {
    return await readFile(file);
  } catch {
    return undefined;
  }
}

/** The build puts a hash of the content into these names, so their content never changes. */
const isHashed = (path: string): boolean => /^\/assets\/.+-[\w-]{8,}\.\w+$/.test(path);
