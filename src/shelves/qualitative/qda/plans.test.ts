import { join } from "node:path";
import { expect, test } from "vitest";
import { databaseOf, interviewLibrary } from "../../../../tests/fixtures/project-library.ts";
import type { Database } from "../../../kernel/database.ts";
import {
  allAttributes,
  allCases,
  allLinks,
  attributeTypes,
  findAttribute,
} from "./storage-cases.ts";
import { codedPlaces } from "./storage-codebook.ts";
import { allCoders } from "./storage-coders.ts";
import { allCategories, allCodes, twinsOf } from "./storage-codes.ts";
import { allFolders } from "./storage-folders.ts";
import { allJournals } from "./storage-journals.ts";
import { hidePrivate, whoAsks } from "./storage-privacy.ts";
import { caseParts, shownCodings, sourceTitles } from "./storage-reports.ts";
import { allSegments, codedSpans, isCoded } from "./storage-segments.ts";
import { allSources, findSource, textOfSource, wholeTexts } from "./storage-sources.ts";

interface Step {
  id: number;
  parent: number;
  detail: string;
}

/** What SQLite would do for each statement that the work asks. */
async function plansOf(ask: (db: Database) => unknown): Promise<Step[][]> {
  const { root } = await interviewLibrary();
  const db = databaseOf(join(root, "interviews.qda", "data.qda"));
  db.define(whoAsks, () => "agent");
  hidePrivate(db);
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

/** Walks through whole tables that are done again for each row of another. */
const walksWithin = (plan: readonly Step[]): string[] =>
  plan
    .filter(({ detail }) => detail.startsWith("SCAN"))
    .filter((step) => isForEachRow(plan, step))
    .map(({ detail }) => detail);

/** A loop within a loop is a later one of the same parent. */
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
  ["texts", wholeTexts],
  ["codes", allCodes],
  ["categories", allCategories],
  ["coders", allCoders],
  ["folders", allFolders],
  ["cases", allCases],
  ["links of cases", allLinks],
  ["parts of cases", caseParts],
  ["attributes", (db) => allAttributes(db, "case")],
  ["kinds of attributes", attributeTypes],
  ["journals", allJournals],
  ["codings", shownCodings],
  ["segments", allSegments],
  ["coded spans", codedSpans],
  ["coded places", codedPlaces],
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
  ["a coding", (db) => isCoded(db, { code: 1, source: 1, start: 0, end: 1, owner: "eva" })],
  ["codings of two codes", (db) => twinsOf(db, 1, 2, "all")],
  ["an attribute", (db) => findAttribute(db, { of: "case", whose: 1, name: "age" })],
])(
  "[qualitative.project.growth] one of many is found without a walk through all: %s",
  async (_name, ask) => {
    const steps = (await plansOf(ask)).flat().map(({ detail }) => detail);
    expect(steps).not.toEqual([]);
    expect(steps.filter((detail) => detail.startsWith("SCAN"))).toEqual([]);
  },
);
