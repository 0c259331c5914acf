import { createWriteStream, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import {
  canonicalOrder,
  generatedContent,
} from "../../../../tests/fixtures/qualitative/generated-content.ts";
import { createBoundary } from "../../../kernel/paths/boundary.ts";
import { type Database, openDatabase } from "../../../kernel/storage/database.ts";
import { createQualcoderTables, migrateOwnTables } from "../qda/storage-project.ts";
import type { Content, SourceContent } from "./content.ts";
import { collectContent } from "./export/collect-content.ts";
import { normalizeContent } from "./import/normalize-content.ts";
import { writeContent } from "./import/write-content.ts";
import { createLossReport } from "./losses.ts";
import { readQdpx } from "./refi/qdpx-reader.ts";
import { writeQdpx } from "./refi/qdpx-writer.ts";

const projects = Number(process.env.LECTERN_ROUND_TRIPS ?? 1_000);
const seed = Number(process.env.LECTERN_SEED ?? 20_261_115);

const folder = mkdtempSync(join(tmpdir(), "lectern-round-trip-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const folders = { text: null, pdf: "docs", image: "images", audio: "audio", video: "video" };

const date = "2026-11-15 10:00:00";

/** Creating the tables is the slowest step, so all round trips share two projects. */
function emptyProject(): Database {
  const db = openDatabase(":memory:");
  createQualcoderTables(db, { date, coder: "nobody", name: "any" });
  migrateOwnTables(db);
  return db;
}

const [first, second] = [emptyProject(), emptyProject()];

function fill(db: Database, content: Content): void {
  const kept = ["project", "lectern_project", "lectern_schema", "sqlite_sequence"];
  const tables = db.all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'");
  for (const { name } of tables) if (!kept.includes(name)) db.exec(`DELETE FROM ${name}`);
  writeContent(db, content, {
    coder: content.coder ?? "nobody",
    date,
    mediapathOf: ({ kind, name }: SourceContent) =>
      folders[kind] && `/${folders[kind]}/${name.replaceAll("/", "_")}.${kind}`,
  });
}

function gathered(db: Database, name: string): Content {
  const project = { db, name, path: folder, database: folder };
  return collectContent({ project, isWhole: true, losses: createLossReport() });
}

/** SQLite counts code points by itself. */
const codingsOffTheirText = (db: Database): unknown[] =>
  db.all(`SELECT c.* FROM code_text c JOIN source s ON s.id = c.fid
           WHERE substr(s.fulltext, c.pos0 + 1, c.pos1 - c.pos0) IS NOT c.seltext`);

test(`[qualitative.exchange.round-trip] ${projects} generated projects are exported to .qdpx and imported unchanged`, async () => {
  let number = 0;
  await fc.assert(
    fc.asyncProperty(fc.gen(), fc.boolean(), async (draw, isForeign) => {
      const content = generatedContent(draw);
      fill(first, content);
      // Projects of QualCoder have no GUIDs, so they are derived.
      if (isForeign) first.exec("DELETE FROM lectern_guids");
      const out = gathered(first, content.name);
      if (!isForeign) expect(canonicalOrder(out)).toEqual(canonicalOrder(content));
      const path = join(folder, `${number++}.qdpx`);
      await writeQdpx(
        createBoundary({ base: folder }),
        out,
        createWriteStream(path),
        createLossReport(),
      );

      const losses = createLossReport();
      const { content: found } = await readQdpx(readFileSync(path), losses);
      rmSync(path);
      normalizeContent(found, "nobody", losses);
      fill(second, found);

      expect(canonicalOrder(gathered(second, found.name))).toEqual(canonicalOrder(out));
      expect(found.name).toBe(content.name);
      expect(codingsOffTheirText(second)).toEqual([]);
      const reported = losses.list().filter(({ what }) => !what.startsWith("Pictures, recordings"));
      expect(reported).toEqual([]);
    }),
    { numRuns: projects, seed },
  );
});
