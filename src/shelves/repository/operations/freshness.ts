import * as z from "zod";
import { bounded, boundedShape, pagingShape } from "../../../kernel/bounded.ts";
import { invalid } from "../../../kernel/failure.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { byLetters } from "../../../text/by-letters.ts";
import { counted } from "../../../text/counted.ts";
import { visible } from "../../../text/visible.ts";
import { answering, envelope, partialLine, partially, told } from "../envelope.ts";
import {
  type Level,
  levelOf,
  levels,
  millisecondsOf,
  presetNames,
  presets,
  type Thresholds,
  units,
} from "../freshness.ts";
import { type PageAge, pageAges } from "../page-ages.ts";
import type { RepositoryState } from "../state.ts";
import { subjectOfPages } from "../subject.ts";

const operation = operationsOn<RepositoryState>();

const threshold = z.object({ value: z.number().positive(), unit: z.enum(units) }).optional();

const ShownPage = z.looseObject({ file: z.string(), staleness: z.string(), ageDays: z.number() });

export const trackFreshness = operation({
  name: "track_documentation_freshness",
  title: "Tell how fresh pages are",
  summary:
    "How long ago each page was changed, by git or its front matter. With projectPath also which pages were overtaken by the code they speak of.",
  input: z.object({
    docsPath: z.string().min(1).describe("Folder of pages").meta({ path: true }),
    projectPath: z.string().min(1).optional().describe("Repository").meta({ path: true }),
    preset: z
      .enum(presetNames)
      .default("monthly")
      .meta({ says: "How often pages should be looked at" }),
    warningThreshold: threshold.meta({ says: 'Age to be warned of: {"value":30,"unit":"days"}' }),
    staleThreshold: threshold.meta({ says: "Age of a stale page, in the same form" }),
    criticalThreshold: threshold.meta({ says: "Age of a page in need, in the same form" }),
    includeFileList: z.boolean().default(true).meta({ says: "Name every page" }),
    sortBy: z
      .enum(["age", "path", "staleness"])
      .default("staleness")
      .meta({ says: "The order of the pages" }),
    ...pagingShape,
  }),
  output: envelope(
    z.looseObject({
      summary: z.record(z.string(), z.int()),
      files: z.array(ShownPage),
      ...boundedShape,
    }),
  ),
  effect: "reads",
  expose: {
    mcp: true,
    http: "POST /repository/freshness",
    cli: "repository freshness <docsPath>",
  },
  example: { docsPath: "handbook", includeFileList: false },
  run: answering(async (input, state, call) => {
    const { docsPath, projectPath, sortBy, includeFileList, limit, cursor } = input;
    const thresholds = thresholdsOf(input);
    const subject = subjectOfPages(state, docsPath, projectPath);
    const comparesCode = projectPath !== undefined;
    const { ages, hasHistory, stopped_at } = await pageAges(state, subject, { comparesCode }, call);
    const now = Date.now();
    const judged = ages.map((age) => ({ ...age, level: levelNow(age, thresholds, now) }));
    judged.sort(orders[sortBy]);
    const count = (level: Level) => judged.filter((one) => one.level === level).length;
    const overtaken = judged.filter(({ overtakenBy }) => overtakenBy).length;
    const { items, ...paging } = bounded(includeFileList ? judged : [], {
      limit,
      cursor,
      keyOf: ({ page }) => page.file,
    });
    return {
      data: {
        summary: {
          total: judged.length,
          ...Object.fromEntries(levels.map((level) => [level, count(level)])),
          ...(comparesCode && { behindCode: overtaken }),
        },
        thresholds,
        files: items.map((one) => shownPage(one, now)),
        ...paging,
        usesGit: hasHistory,
        ...partially(stopped_at),
      },
      nextSteps:
        overtaken > 0 ? [{ action: "See what changed", toolRequired: "sync_code_to_docs" }] : [],
    };
  }),
  present: ({ data, ...said }) => {
    const { total = 0, ...rest } = data.summary;
    const numbers = Object.entries(rest).map(([name, count]) => `${count} ${name}`);
    const lines = data.files.map(({ file, staleness, ageDays }) =>
      visible(`${staleness}  ${ageDays} days  ${file}`),
    );
    const head = `${counted(total, "page")}: ${numbers.join(", ")}.`;
    return told([...partialLine(data), head, ...lines].join("\n"), said);
  },
});

type Judged = PageAge & { level: Level };

const orders: Record<"age" | "path" | "staleness", (a: Judged, b: Judged) => number> = {
  age: (a, b) => a.touched.at - b.touched.at || byLetters(a.page.file, b.page.file),
  path: (a, b) => byLetters(a.page.file, b.page.file),
  staleness: (a, b) =>
    levels.indexOf(b.level) - levels.indexOf(a.level) ||
    Number(b.overtakenBy !== undefined) - Number(a.overtakenBy !== undefined) ||
    orders.age(a, b),
};

function levelNow({ touched }: PageAge, thresholds: Thresholds, now: number): Level {
  return levelOf(now - touched.at, thresholds);
}

function shownPage({ page, touched, overtakenBy, level }: Judged, now: number) {
  return {
    file: page.file,
    staleness: level,
    lastUpdated: new Date(touched.at).toISOString(),
    source: touched.source,
    ageDays: Math.max(0, Math.round(((now - touched.at) / 86_400_000) * 10) / 10),
    ...(overtakenBy && {
      behindCode: { file: overtakenBy.file, changed: new Date(overtakenBy.at).toISOString() },
    }),
  };
}

function thresholdsOf(input: {
  preset: (typeof presetNames)[number];
  warningThreshold?: z.output<typeof threshold>;
  staleThreshold?: z.output<typeof threshold>;
  criticalThreshold?: z.output<typeof threshold>;
}): Thresholds {
  const preset = presets[input.preset];
  const chosen = {
    warning: input.warningThreshold ?? preset.warning,
    stale: input.staleThreshold ?? preset.stale,
    critical: input.criticalThreshold ?? preset.critical,
  };
  const [warning, stale, critical] = [chosen.warning, chosen.stale, chosen.critical].map(
    millisecondsOf,
  );
  if (Number(warning) < Number(stale) && Number(stale) < Number(critical)) return chosen;
  throw invalid("Invalid parameter 'staleThreshold': warning, stale and critical must grow.", [
    "Give all three, or choose a preset.",
  ]);
}
