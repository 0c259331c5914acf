import { counted } from "../../text/counted.ts";
import { visible } from "../../text/visible.ts";
import type { Analysis } from "./analysis.ts";
import { partialLine, type Said } from "./envelope.ts";

/** The most of any list that an answer holds; the resource of the analysis has all. */
const mostShown = 50;

const lists = ["pages", "symbols", "manifests", "entryPoints", "problems"] as const;

/** An analysis with its long lists cut, and how much of each is left out. */
export interface ShownAnalysis extends Analysis {
  truncated?: true;
  remaining?: Record<string, number>;
}

export function shownAnalysis(analysis: Analysis): ShownAnalysis {
  const { documentation, dependencies } = analysis;
  const remaining: Record<string, number> = {};
  const cut = <Item>(name: string, items: readonly Item[]): Item[] => {
    if (items.length > mostShown) remaining[name] = items.length - mostShown;
    return items.slice(0, mostShown);
  };
  const shown = {
    ...analysis,
    ...Object.fromEntries(
      lists.flatMap((name) => {
        const items: readonly unknown[] | undefined = analysis[name];
        return items ? [[name, cut(name, items)]] : [];
      }),
    ),
    documentation: {
      ...documentation,
      existingDocs: cut("existingDocs", documentation.existingDocs),
    },
    dependencies: {
      ...dependencies,
      packages: cut("packages", dependencies.packages),
      devPackages: cut("devPackages", dependencies.devPackages),
    },
  };
  return Object.keys(remaining).length > 0 ? { ...shown, truncated: true, remaining } : shown;
}

/** What a reader should know first, in a few lines. */
export function summaryOf({ facts, structure, ...analysis }: ShownAnalysis): string {
  const listed = (what: string, names: readonly string[]): string[] =>
    names.length > 0 ? [`${what}: ${visible(names.slice(0, 10).join(", "))}`] : [];
  const bytes = Object.entries(facts.bytes_by_language).slice(0, 6);
  return [
    ...partialLine(analysis),
    visible(
      `${analysis.path}: ${facts.kind}, ${counted(facts.files, "file")} in ${counted(structure.totalDirectories, "folder")}`,
    ),
    ...listed(
      "Languages",
      bytes.map(([name, size]) => `${name} ${size}`),
    ),
    ...listed("Packages by", facts.package_managers),
    ...listed("Frameworks", facts.frameworks),
    ...(facts.monorepo
      ? listed(`Monorepo (${facts.workspace_tool.join(", ") || "no tool"})`, facts.packages)
      : []),
    ...listed("Tests", [...facts.test_frameworks, ...facts.test_paths]),
    ...listed("Continuous integration", facts.ci),
    ...listed("Documentation", [
      ...(facts.docs_system ? [facts.docs_system] : []),
      ...facts.docs_paths,
    ]),
    `Licence: ${facts.license ?? (facts.has_license_file ? "a text that is not known" : "none")}`,
    ...listed(
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

function searchSteps({ id, documentation }: Analysis, searched: Searched): NextSteps {
  if (searched === "not here" || documentation.existingDocs.length === 0) return [];
  if (searched !== "not yet") {
    const description = `collection "${visible(searched.collection)}"`;
    return [{ action: "Search its pages", toolRequired: "search", description, priority: "low" }];
  }
  return [
    {
      action: "Make its pages searchable",
      description: `A person says so: lectern repository searchable --analysis-id ${id}`,
      priority: "low",
    },
  ];
}

type NextSteps = NonNullable<Said<unknown>["nextSteps"]>;

type Advice = Required<Pick<Said<unknown>, "recommendations" | "nextSteps">>;

/** Where its pages can be searched: in a collection, in none yet, or nowhere that is served here. */
export type Searched = { collection: string } | "not yet" | "not here";

/** What is missing, and which tool comes next. */
export function adviceOn(analysis: Analysis, searched: Searched): Advice {
  const { id, facts, adrFolders, depth, partial } = analysis;
  const missing = (isMissing: boolean, title: string, description: string) =>
    isMissing ? [{ type: "warning" as const, title, description }] : [];
  return {
    recommendations: [
      ...missing(
        facts.files === 0,
        "Nothing to analyse",
        "The folder holds no file that git would track.",
      ),
      ...missing(!facts.has_readme, "No README", "A reader who arrives has nowhere to begin."),
      ...missing(
        facts.license === null,
        "No licence that is known",
        "Others cannot tell what they may do.",
      ),
      ...missing(!facts.has_docs_dir, "No folder of documentation", "Pages have no place yet."),
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
              action: `Consult the decision records in ${visible(adrFolders.slice(0, 5).join(", "))}`,
              toolRequired: "decisions",
              description: "The architecture shelf reads them where the repository is its --root.",
              priority: "low" as const,
            },
          ]
        : []),
      ...searchSteps(analysis, searched),
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
