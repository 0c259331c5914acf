import { pluralise } from "../../../text/strings/pluralise.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import { partialLine, type ToolResult } from "../envelope.ts";
import type { Analysis } from "./analysis.ts";

/** Maximum list length of a tool result; the analysis resource has the full lists. */
const maxListItems = 50;

const cutLists = ["pages", "symbols", "manifests", "entryPoints", "problems"] as const;

/** An analysis with truncated lists and the number of omitted items of each. */
export interface TruncatedAnalysis extends Analysis {
  truncated?: true;
  remaining?: Record<string, number>;
}

export function truncateAnalysis(analysis: Analysis): TruncatedAnalysis {
  const { documentation, dependencies } = analysis;
  const remaining: Record<string, number> = {};
  const truncate = <Item>(name: string, items: readonly Item[]): Item[] => {
    if (items.length > maxListItems) remaining[name] = items.length - maxListItems;
    return items.slice(0, maxListItems);
  };
  const truncated = {
    ...analysis,
    ...Object.fromEntries(
      cutLists.flatMap((name) => {
        const items: readonly unknown[] | undefined = analysis[name];
        return items ? [[name, truncate(name, items)]] : [];
      }),
    ),
    documentation: {
      ...documentation,
      existingDocs: truncate("existingDocs", documentation.existingDocs),
    },
    dependencies: {
      ...dependencies,
      packages: truncate("packages", dependencies.packages),
      devPackages: truncate("devPackages", dependencies.devPackages),
    },
  };
  return Object.keys(remaining).length > 0
    ? { ...truncated, truncated: true, remaining }
    : truncated;
}

/** A summary of a few lines. */
export function analysisSummary({ facts, structure, ...analysis }: TruncatedAnalysis): string {
  const line = (what: string, names: readonly string[]): string[] =>
    names.length > 0 ? [`${what}: ${toPrintable(names.slice(0, 10).join(", "))}`] : [];
  const bytes = Object.entries(facts.bytes_by_language).slice(0, 6);
  return [
    ...partialLine(analysis),
    toPrintable(
      `${analysis.path}: ${facts.kind}, ${pluralise(facts.files, "file")} in ${pluralise(structure.totalDirectories, "folder")}`,
    ),
    ...line(
      "Languages",
      bytes.map(([name, size]) => `${name} ${size}`),
    ),
    ...line("Packages by", facts.package_managers),
    ...line("Frameworks", facts.frameworks),
    ...(facts.monorepo
      ? line(`Monorepo (${facts.workspace_tool.join(", ") || "no tool"})`, facts.packages)
      : []),
    ...line("Tests", [...facts.test_frameworks, ...facts.test_paths]),
    ...line("Continuous integration", facts.ci),
    ...line("Documentation", [
      ...(facts.docs_system ? [facts.docs_system] : []),
      ...facts.docs_paths,
    ]),
    `Licence: ${facts.license ?? (facts.has_license_file ? "an unknown text" : "none")}`,
    ...line(
      "Pages",
      Object.entries(analysis.documentation.pagesByType ?? {}).map(
        ([type, count]) => `${count} ${type}`,
      ),
    ),
    ...(analysis.symbols
      ? [`Public symbols: ${analysis.symbols.length + (analysis.remaining?.symbols ?? 0)}`]
      : []),
    `Analysis: ${analysis.id}`,
  ].join("\n");
}

function searchNextSteps({ id, documentation }: Analysis, searchStatus: SearchStatus): NextSteps {
  if (searchStatus === "not here" || documentation.existingDocs.length === 0) return [];
  if (searchStatus !== "not yet") {
    const description = `collection "${toPrintable(searchStatus.collection)}"`;
    return [{ action: "Search its pages", toolRequired: "search", description, priority: "low" }];
  }
  return [
    {
      action: "Make its pages searchable",
      description: `Run by a person: lectern repository searchable --analysis-id ${id}`,
      priority: "low",
    },
  ];
}

type NextSteps = NonNullable<ToolResult<unknown>["nextSteps"]>;

type Advice = Required<Pick<ToolResult<unknown>, "recommendations" | "nextSteps">>;

/**
 * Whether its pages can be searched: in a collection, not yet, or never because this server has no
 * search.
 */
export type SearchStatus = { collection: string } | "not yet" | "not here";

/** Recommendations about missing parts, and the next tools to call. */
export function analysisAdvice(analysis: Analysis, searchStatus: SearchStatus): Advice {
  const { id, facts, adrFolders, depth, partial } = analysis;
  const missing = (isMissing: boolean, title: string, description: string) =>
    isMissing ? [{ type: "warning" as const, title, description }] : [];
  return {
    recommendations: [
      ...missing(
        facts.files === 0,
        "Nothing to analyse",
        "The folder contains no file that git would track.",
      ),
      ...missing(!facts.has_readme, "No README", "New readers have no starting point."),
      ...missing(
        facts.license === null,
        "No known licence",
        "Others do not know what they are allowed to do.",
      ),
      ...missing(
        !facts.has_docs_dir,
        "No documentation folder",
        "There is no folder for pages yet.",
      ),
    ],
    nextSteps: [
      ...(partial
        ? [
            {
              action: "Analyse a part, or with more time",
              toolRequired: "analyze_repository",
              priority: "high" as const,
            },
          ]
        : []),
      ...(facts.docs_system === null
        ? [
            {
              action: "Choose a generator for the documentation",
              toolRequired: "recommend_ssg",
              description: `analysisId ${id}`,
              priority: "high" as const,
            },
          ]
        : []),
      {
        action: "Find what is not documented",
        toolRequired: "detect_documentation_gaps",
        priority: "medium",
      },
      ...(facts.has_docs_dir
        ? [
            {
              action: "Check the links of the pages",
              toolRequired: "check_documentation_links",
              priority: "medium" as const,
            },
          ]
        : []),
      ...(adrFolders.length > 0
        ? [
            {
              action: `Consult the decision records in ${toPrintable(adrFolders.slice(0, 5).join(", "))}`,
              toolRequired: "decisions",
              description: "The architecture shelf reads them if the repository is its --root.",
              priority: "low" as const,
            },
          ]
        : []),
      ...searchNextSteps(analysis, searchStatus),
      ...(depth === "deep"
        ? []
        : [
            {
              action: "Read the public symbols too",
              toolRequired: "analyze_repository",
              description: 'depth "deep"',
              priority: "low" as const,
            },
          ]),
    ],
  };
}
