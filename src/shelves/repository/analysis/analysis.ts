import type { DiataxisType } from "../../../text/software/diataxis.ts";
import type { RepositoryFacts } from "../facts/facts.ts";
import type { ProjectType } from "../facts/project-kind.ts";

export const analysisDepths = ["quick", "standard", "deep"] as const;

/**
 * `quick` reads names, sizes and manifests; `standard` also reads every file and classifies pages;
 * `deep` also parses the code for its public symbols.
 */
export type AnalysisDepth = (typeof analysisDepths)[number];

/** The analysis of a repository. The first seven fields have the names of the founding project. */
export interface Analysis {
  /** Derived from the repository's content: equal content has an equal id. */
  id: string;
  timestamp: string;
  /** As the caller named it. */
  path: string;
  structure: {
    totalFiles: number;
    totalDirectories: number;
    /** Number of files by extension. */
    languages: Record<string, number>;
    hasTests: boolean;
    hasCI: boolean;
    hasDocs: boolean;
  };
  dependencies: {
    ecosystem: string;
    packages: string[];
    devPackages: string[];
  };
  documentation: {
    hasReadme: boolean;
    hasContributing: boolean;
    hasLicense: boolean;
    existingDocs: string[];
    estimatedComplexity: "simple" | "moderate" | "complex";
    /** Number of pages by guessed kind. Absent at depth quick. */
    pagesByType?: Record<string, number>;
  };
  recommendations: {
    primaryLanguage: string;
    projectType: ProjectType;
    teamSize: "solo" | "small" | "medium" | "large";
  };
  depth: AnalysisDepth;
  facts: RepositoryFacts;
  manifests: ManifestSummary[];
  /** Files where a reader of the code starts. */
  entryPoints: EntryPoint[];
  /** Folders of decision records, for the architecture shelf. */
  adrFolders: string[];
  /** Pages with their guessed kind. Absent at depth quick. */
  pages?: PageSummary[];
  /** The public API of the code. At depth deep only. */
  symbols?: PublicSymbol[];
  /** Files that could not be read, and why. */
  problems: { file: string; problem: string }[];
  /** Set if a timeout or limit ended the analysis. */
  partial?: true;
  stopped_at?: string;
}

export interface ManifestSummary {
  file: string;
  ecosystem: string;
  name?: string;
  version?: string;
  description?: string;
  /** Number of runtime dependencies; development dependencies are counted below. */
  dependencies: number;
  devDependencies: number;
}

export interface EntryPoint {
  file: string;
  kind: "main" | "bin" | "module";
  name?: string;
}

export interface PageSummary {
  file: string;
  title: string;
  bytes: number;
  type: DiataxisType | "unknown";
  confidence: number;
  /** The evidence for the guess, strongest first. */
  evidence: string[];
}

export interface PublicSymbol {
  symbol: string;
  kind: string;
  file: string;
  line: number;
}
