import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "../../../kernel/database.ts";
import { Failure } from "../../../kernel/failure.ts";
import { openForeignDatabase } from "../../../kernel/foreign/foreign-database.ts";
import { isUnsafeDatabase, unsafeReason } from "../../../kernel/foreign/unsafe.ts";
import { damaged, unreadable } from "../../../kernel/formats/unreadable.ts";
import { anchorsIn, type SearchBudget, searchBudget } from "./anchoring.ts";
import { type Content, emptyContent, emptySource, type SourceContent } from "./content.ts";
import { derivedGuid } from "./guid.ts";
import { readHtml } from "./html-text.ts";
import type { Losses } from "./losses.ts";
import {
  isTaguette,
  type TaguetteDocument,
  taguetteDocuments,
  taguetteHighlights,
  taguetteProjects,
  taguetteTags,
} from "./storage-taguette.ts";

/** The one project of a Taguette database, as its export gives it. */
export function readTaguette(bytes: Uint8Array, losses: Losses): Content {
  // A database that is opened where it lies could leave files beside it.
  const folder = mkdtempSync(join(tmpdir(), "lectern-taguette-"));
  try {
    const path = join(folder, "project.sqlite3");
    writeFileSync(path, bytes);
    const rules = { views: [], oneNameOnly: true };
    const db = openForeignDatabase(path, { readOnly: true, rules });
    try {
      return contentOf(db, losses);
    } finally {
      db.close();
    }
  } catch (error) {
    if (isUnsafeDatabase(error)) throw unreadable(unsafeReason(error));
    throw error instanceof Failure ? error : damaged(error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function contentOf(db: Database, losses: Losses): Content {
  if (!isTaguette(db)) throw unreadable("it is no Taguette database");
  const [project, ...others] = taguetteProjects(db);
  if (!project) throw unreadable("it holds no project");
  if (others.length > 0) {
    throw unreadable("it holds several projects; export one of them from Taguette as SQLite3");
  }
  const tags = taguetteTags(db, project.id).map(({ id, path, description }) => ({
    id,
    guid: derivedGuid("taguette tag", project.name, id, path),
    name: path,
    memo: description ?? "",
  }));
  const budget = searchBudget();
  const documents = new Map(
    taguetteDocuments(db, project.id).map((one) => [one.id, documentOf(one, project.name, budget)]),
  );
  const codes = new Map(tags.map(({ id, guid }) => [id, guid]));
  for (const highlight of taguetteHighlights(db, project.id)) {
    const { source, html, anchors } = documents.get(highlight.document) ?? {};
    const code = codes.get(highlight.tag);
    if (!source || !html || !anchors) continue;
    const title = readHtml(highlight.snippet ?? "").text.trim();
    if (code === undefined) {
      losses.add("dropped", "Highlights without a tag", title);
      continue;
    }
    const units = html.place(highlight.start, highlight.end);
    const place = anchors.place({
      start: anchors.offsets.codePointAt(units.start),
      end: anchors.offsets.codePointAt(units.end),
      title,
    });
    if (place?.isMoved) {
      losses.add("re-anchored", "Passages found elsewhere than was said", title);
    }
    if (!place) {
      losses.add("dropped", "Passages outside of their text", title);
      continue;
    }
    source.passages.push({
      guid: derivedGuid("taguette highlight", source.guid, highlight.id, highlight.tag),
      code,
      memo: "",
      owner: undefined,
      date: undefined,
      start: place.start,
      end: place.end,
    });
  }
  return {
    ...emptyContent(project.name),
    memo: project.description ?? "",
    codes: tags.map(({ id: _, ...tag }) => ({ ...tag, color: null, parent: null, category: null })),
    sources: [...documents.values()].map(({ source }) => source),
  };
}

function documentOf(document: TaguetteDocument, project: string, budget: SearchBudget) {
  const html = readHtml(document.contents);
  const source: SourceContent = {
    guid: derivedGuid("taguette document", project, document.id, document.name),
    name: document.name,
    memo: document.description ?? "",
    owner: undefined,
    date: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/.exec(document.created ?? "")?.[0],
    kind: "text",
    text: html.text,
    file: null,
    ...emptySource(),
  };
  return { source, html, anchors: anchorsIn(html.text, budget) };
}
