import * as z from "zod";
import { invalid } from "../../../kernel/failure.ts";
import { operationsFor } from "../../../kernel/operation.ts";
import {
  listPageShape,
  pageByKey,
  pagingInputShape,
} from "../../../kernel/operations/list-page.ts";
import { compareText } from "../../../text/strings/compare-text.ts";
import { pluralise } from "../../../text/strings/pluralise.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import { docsScopeOfPages } from "../drift/docs-scope.ts";
import {
  type AgeThresholds,
  ageUnits,
  type FreshnessLevel,
  freshnessLevel,
  freshnessLevels,
  freshnessPresetNames,
  freshnessPresets,
  thresholdMs,
} from "../drift/freshness.ts";
import { measurePageAges, type PageAge } from "../drift/page-ages.ts";
import { envelope, partialFields, partialLine, renderResult, withEnvelope } from "../envelope.ts";
import type { RepositoryState } from "../state.ts";

const operation = operationsFor<RepositoryState>();

const threshold = z.object({ value: z.number().positive(), unit: z.enum(ageUnits) }).optional();

const pageOutput = z.looseObject({ file: z.string(), staleness: z.string(), ageDays: z.number() });

export const trackFreshness = operation({
  name: "track_documentation_freshness",
  title: "Track the age of pages",
  summary:
    "How long ago each page was changed, by git or its front matter. With projectPath also which pages are older than the code they mention.",
  input: z.object({
    docsPath: z.string().min(1).describe("Folder of pages").meta({ path: true }),
    projectPath: z.string().min(1).optional().describe("Repository").meta({ path: true }),
    preset: z
      .enum(freshnessPresetNames)
      .default("monthly")
      .meta({ help: "How often pages should be reviewed" }),
    warningThreshold: threshold.meta({ help: 'Age of a warning: {"value":30,"unit":"days"}' }),
    staleThreshold: threshold.meta({ help: "Age of a stale page, in the same format" }),
    criticalThreshold: threshold.meta({ help: "Age of a critical page, in the same format" }),
    includeFileList: z.boolean().default(true).meta({ help: "List every page" }),
    sortBy: z
      .enum(["age", "path", "staleness"])
      .default("staleness")
      .meta({ help: "Sort order of the pages" }),
    ...pagingInputShape,
  }),
  output: envelope(
    z.looseObject({
      summary: z.record(z.string(), z.int()),
      files: z.array(pageOutput),
      ...listPageShape,
    }),
  ),
  effect: "reads",
  expose: {
    mcp: true,
    http: "POST /repository/freshness",
    cli: "repository freshness <docsPath>",
  },
  example: { docsPath: "handbook", includeFileList: false },
  run: withEnvelope(async (input, state, call) => {
    const { docsPath, projectPath, sortBy, includeFileList, limit, cursor } = input;
    const thresholds = resolveThresholds(input);
    const subject = docsScopeOfPages(state, docsPath, projectPath);
    const comparesCode = projectPath !== undefined;
    const { ages, hasHistory, stopped_at } = await measurePageAges(
      state,
      subject,
      { comparesCode },
      call,
    );
    const now = Date.now();
    const rated = ages.map((age) => ({ ...age, level: currentLevel(age, thresholds, now) }));
    rated.sort(sortOrders[sortBy]);
    const count = (level: FreshnessLevel) => rated.filter((page) => page.level === level).length;
    const behindCode = rated.filter(({ newerCode }) => newerCode).length;
    const { items, ...paging } = pageByKey(includeFileList ? rated : [], {
      limit,
      cursor,
      keyOf: ({ page }) => page.file,
    });
    return {
      data: {
        summary: {
          total: rated.length,
          ...Object.fromEntries(freshnessLevels.map((level) => [level, count(level)])),
          ...(comparesCode && { behindCode: behindCode }),
        },
        thresholds,
        files: items.map((page) => toPageOutput(page, now)),
        ...paging,
        usesGit: hasHistory,
        ...partialFields(stopped_at),
      },
      nextSteps:
        behindCode > 0 ? [{ action: "Show what changed", toolRequired: "sync_code_to_docs" }] : [],
    };
  }),
  present: ({ data, ...advice }) => {
    const { total = 0, ...rest } = data.summary;
    const numbers = Object.entries(rest).map(([name, count]) => `${count} ${name}`);
    const lines = data.files.map(({ file, staleness, ageDays }) =>
      toPrintable(`${staleness}  ${ageDays} days  ${file}`),
    );
    const head = `${pluralise(total, "page")}: ${numbers.join(", ")}.`;
    return renderResult([...partialLine(data), head, ...lines].join("\n"), advice);
  },
});

type RatedPage = PageAge & { level: FreshnessLevel };

const sortOrders: Record<"age" | "path" | "staleness", (a: RatedPage, b: RatedPage) => number> = {
  age: (a, b) => a.lastUpdate.at - b.lastUpdate.at || compareText(a.page.file, b.page.file),
  path: (a, b) => compareText(a.page.file, b.page.file),
  staleness: (a, b) =>
    freshnessLevels.indexOf(b.level) - freshnessLevels.indexOf(a.level) ||
    Number(b.newerCode !== undefined) - Number(a.newerCode !== undefined) ||
    sortOrders.age(a, b),
};

function currentLevel(
  { lastUpdate }: PageAge,
  thresholds: AgeThresholds,
  now: number,
): FreshnessLevel {
  return freshnessLevel(now - lastUpdate.at, thresholds);
}

function toPageOutput({ page, lastUpdate, newerCode, level }: RatedPage, now: number) {
  return {
    file: page.file,
    staleness: level,
    lastUpdated: new Date(lastUpdate.at).toISOString(),
    source: lastUpdate.source,
    ageDays: Math.max(0, Math.round(((now - lastUpdate.at) / 86_400_000) * 10) / 10),
    ...(newerCode && {
      behindCode: { file: newerCode.file, changed: new Date(newerCode.at).toISOString() },
    }),
  };
}

function resolveThresholds(input: {
  preset: (typeof freshnessPresetNames)[number];
  warningThreshold?: z.output<typeof threshold>;
  staleThreshold?: z.output<typeof threshold>;
  criticalThreshold?: z.output<typeof threshold>;
}): AgeThresholds {
  const preset = freshnessPresets[input.preset];
  const chosen = {
    warning: input.warningThreshold ?? preset.warning,
    stale: input.staleThreshold ?? preset.stale,
    critical: input.criticalThreshold ?? preset.critical,
  };
  const [warning, stale, critical] = [chosen.warning, chosen.stale, chosen.critical].map(
    thresholdMs,
  );
  if (Number(warning) < Number(stale) && Number(stale) < Number(critical)) return chosen;
  throw invalid("Invalid parameter 'staleThreshold': warning, stale and critical must increase.", [
    "Give all three thresholds, or choose a preset.",
  ]);
}
