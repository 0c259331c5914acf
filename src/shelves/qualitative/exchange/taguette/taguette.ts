import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure } from "../../../../kernel/failure.ts";
import { openForeignDatabase } from "../../../../kernel/foreign/foreign-database.ts";
import {
  isUnsafeDatabase,
  reasonWithoutConsequence,
} from "../../../../kernel/foreign/unsafe-database.ts";
import { damagedFile, unreadableFile } from "../../../../kernel/formats/file-errors.ts";
import type { Database } from "../../../../kernel/storage/database.ts";
import { type Content, emptyContent, emptySourceContent, type SourceContent } from "../content.ts";
import { derivedGuid } from "../guid.ts";
import type { LossReport } from "../losses.ts";
import { createPassageAnchors, createSearchBudget, type SearchBudget } from "../passage-anchors.ts";
import { parseSimpleHtml } from "./html-text.ts";
import {
  isTaguette,
  type TaguetteDocument,
  taguetteDocuments,
  taguetteHighlights,
  taguetteProjects,
  taguetteTags,
} from "./storage-taguette.ts";

/** Reads the only project of an exported Taguette database. */
export function readTaguette(bytes: Uint8Array, losses: LossReport): Content {
  // SQLite could create journal files next to the original, so a copy is opened.
  const folder = mkdtempSync(join(tmpdir(), "lectern-taguette-"));
  try {
    const path = join(folder, "project.sqlite3");
    writeFileSync(path, bytes);
    const rules = { views: [], rejectHardLinks: true };
    const db = openForeignDatabase(path, { readOnly: true, rules });
    try {
      return readContent(db, losses);
    } finally {
      db.close();
    }
  } catch (error) {
    if (isUnsafeDatabase(error)) throw unreadableFile(reasonWithoutConsequence(error));
    throw error instanceof Failure ? error : damagedFile(error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readContent(db: Database, losses: LossReport): Content {
  if (!isTaguette(db)) throw unreadableFile("it is not a Taguette database");
  const [project, ...others] = taguetteProjects(db);
  if (!project) throw unreadableFile("it contains no project");
  if (others.length > 0) {
    throw unreadableFile(
      "it contains several projects; export one of them from Taguette as SQLite3",
    );
  }
  const tags = taguetteTags(db, project.id).map(({ id, path, description }) => ({
    id,
    guid: derivedGuid("taguette tag", project.name, id, path),
    name: path,
    memo: description ?? "",
  }));
  const budget = createSearchBudget();
  const documents = new Map(
    taguetteDocuments(db, project.id).map((document) => [
      document.id,
      readDocument(document, project.name, budget),
    ]),
  );
  const codes = new Map(tags.map(({ id, guid }) => [id, guid]));
  for (const highlight of taguetteHighlights(db, project.id)) {
    const { source, html, anchors } = documents.get(highlight.document) ?? {};
    const code = codes.get(highlight.tag);
    if (!source || !html || !anchors) continue;
    const title = parseSimpleHtml(highlight.snippet ?? "").text.trim();
    if (code === undefined) {
      losses.add("dropped", "Highlights without a tag", title);
      continue;
    }
    const units = html.toTextRange(highlight.start, highlight.end);
    const anchored = anchors.anchor({
      start: anchors.offsets.codePointAt(units.start),
      end: anchors.offsets.codePointAt(units.end),
      title,
    });
    if (anchored?.isMoved) {
      losses.add("re-anchored", "Passages found at another position", title);
    }
    if (!anchored) {
      losses.add("dropped", "Passages outside their text", title);
      continue;
    }
    source.passages.push({
      guid: derivedGuid("taguette highlight", source.guid, highlight.id, highlight.tag),
      code,
      memo: "",
      owner: undefined,
      date: undefined,
      start: anchored.start,
      end: anchored.end,
    });
  }
  return {
    ...emptyContent(project.name),
    memo: project.description ?? "",
    codes: tags.map(({ id: _, ...tag }) => ({ ...tag, color: null, parent: null, category: null })),
    sources: [...documents.values()].map(({ source }) => source),
  };
}

function readDocument(document: TaguetteDocument, project: string, budget: SearchBudget) {
  const html = parseSimpleHtml(document.contents);
  const source: SourceContent = {
    guid: derivedGuid("taguette document", project, document.id, document.name),
    name: document.name,
    memo: document.description ?? "",
    owner: undefined,
    date: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/.exec(document.created ?? "")?.[0],
    kind: "text",
    text: html.text,
    file: null,
    ...emptySourceContent(),
  };
  return { source, html, anchors: createPassageAnchors(html.text, budget) };
}
