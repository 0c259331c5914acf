import { join } from "node:path";
import { expect, test } from "vitest";
import {
  databaseOf,
  interviewLibrary,
} from "../../../../tests/fixtures/qualitative/project-library.ts";
import type { Database } from "../../../kernel/storage/database.ts";
import {
  allAttributes,
  allAttributeTypes,
  allCaseLinks,
  allCases,
  findAttribute,
} from "./storage-cases.ts";
import { codedSpanCounts } from "./storage-codebook.ts";
import { allCoders } from "./storage-coders.ts";
import { allCategories, allCodes, duplicateCodingsOf } from "./storage-codes.ts";
import { allFolders } from "./storage-folders.ts";
import { allJournals } from "./storage-journals.ts";
import { callerFunctionName, ensurePrivacyViews } from "./storage-privacy.ts";
import { allCaseParts, sourceTitles, visibleCodings } from "./storage-reports.ts";
import { allSegments, codedExtents, isPassageCoded } from "./storage-segments.ts";
import { allSources, findSource, textOfSource, wholeTextPassages } from "./storage-sources.ts";

interface Step {
  id: number;
  parent: number;
  detail: string;
}

/** SQLite's query plan for each executed statement. */
async function plansOf(ask: (db: Database) => unknown): Promise<Step[][]> {
  const { root } = await interviewLibrary();
  const db = databaseOf(join(root, "interviews.qda", "data.qda"));
  db.defineFunction(callerFunctionName, () => "agent");
  ensurePrivacyViews(db);
  const plans: Step[][] = [];
  const noting =
    <Result>(run: (sql: string, ...values: never[]) => Result) =>
    (sql: string, ...values: never[]): Result => {
      plans.push(db.all<Step>(`EXPLAIN QUERY PLAN ${sql}`, ...values));
      return run(sql, ...values);
    };
  ask({ ...db, all: noting(db.all), get: noting(db.get) } as Database);
  return plans.filter((plan) => plan.every(({ detail }) => !detail.includes("pragma_table_info")));
}

/** Full table scans that are repeated for each row of another table. */
const walksWithin = (plan: readonly Step[]): string[] =>
  plan
    .filter(({ detail }) => detail.startsWith("SCAN"))
    .filter((step) => isForEachRow(plan, step))
    .map(({ detail }) => detail);

/** A nested loop is a later child of the same parent. */
function isForEachRow(plan: readonly Step[], step: Step): boolean {
  const isInner = plan.some(
    ({ id, parent, detail }) =>
      id < step.id && parent === step.parent && /^(SCAN|SEARCH)/.test(detail),
  );
  const above = plan.find(({ id }) => id === step.parent);
  return isInner || (above?.detail.startsWith("CORRELATED") ?? false);
}

test.each<[string, (db: Database) => unknown]>([
  ["sources", allSources],
  ["names of sources", sourceTitles],
  ["texts", wholeTextPassages],
  ["codes", allCodes],
  ["categories", allCategories],
  ["coders", allCoders],
  ["folders", allFolders],
  ["cases", allCases],
  ["links of cases", allCaseLinks],
  ["parts of cases", allCaseParts],
  ["attributes", (db) => allAttributes(db, "case")],
  ["kinds of attributes", allAttributeTypes],
  ["journals", allJournals],
  ["codings", visibleCodings],
  ["segments", allSegments],
  ["coded spans", codedExtents],
  ["coded places", codedSpanCounts],
])(
  "[qualitative.project.growth] no list walks through a table for each of its rows: %s",
  async (_name, ask) => {
    const plans = await plansOf(ask);
    expect(plans.length).toBeGreaterThan(0);
    expect(plans.flatMap(walksWithin)).toEqual([]);
  },
);

test.each<[string, (db: Database) => unknown]>([
  ["a source", (db) => findSource(db, 1)],
  ["a text", (db) => textOfSource(db, 1)],
  ["a coding", (db) => isPassageCoded(db, { code: 1, source: 1, start: 0, end: 1, owner: "eva" })],
  ["codings of two codes", (db) => duplicateCodingsOf(db, 1, 2, "all")],
  ["an attribute", (db) => findAttribute(db, { of: "case", whose: 1, name: "age" })],
])(
  "[qualitative.project.growth] one of many is found without a walk through all: %s",
  async (_name, ask) => {
    const steps = (await plansOf(ask)).flat().map(({ detail }) => detail);
    expect(steps).not.toEqual([]);
    expect(steps.filter((detail) => detail.startsWith("SCAN"))).toEqual([]);
  },
);
