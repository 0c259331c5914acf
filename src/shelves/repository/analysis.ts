import type { DiataxisType } from "../../text/diataxis.ts";
import type { Facts } from "./facts.ts";
import type { ProjectType } from "./facts-kind.ts";

export const depths = ["quick", "standard", "deep"] as const;

/**
 * `quick` knows names, sizes and manifests; `standard` reads every file and knows the pages;
 * `deep` parses the code and knows what it offers.
 */
export type Depth = (typeof depths)[number];

/** What is known of a repository. The first seven fields are named as the original names them. */
export interface Analysis {
  /** Made of the repository's content: the same content has the same id. */
  id: string;
  timestamp: string;
  /** As the caller named it. */
  path: string;
  structure: {
    totalFiles: number;
    totalDirectories: number;
    /** Files by their extension. */
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
    /** How many pages are guessed to be of each kind. Not at the quick depth. */
    pagesByType?: Record<string, number>;
  };
  recommendations: {
    primaryLanguage: string;
    projectType: ProjectType;
    teamSize: "solo" | "small" | "medium" | "large";
  };
  depth: Depth;
  facts: Facts;
  manifests: ManifestFound[];
  /** Where a reader of the code begins. */
  entryPoints: EntryPoint[];
  /** Folders of decision records, for the architecture shelf. */
  adrFolders: string[];
  /** Pages with a guess at what kind of documentation each is. Not at the quick depth. */
  pages?: PageFound[];
  /** What others can use of the code. At the deep one only. */
  symbols?: PublicSymbol[];
  /** What could not be read, and why. */
  problems: { file: string; problem: string }[];
  /** Where the time or a bound ended the work. */
  partial?: true;
  stopped_at?: string;
}

export interface ManifestFound {
  file: string;
  ecosystem: string;
  name?: string;
  version?: string;
  description?: string;
  /** How many packages it needs to run, and beside that to be made. */
  dependencies: number;
  devDependencies: number;
}

export interface EntryPoint {
  file: string;
  kind: "main" | "bin" | "module";
  name?: string;
}

export interface PageFound {
  file: string;
  title: string;
  bytes: number;
  type: DiataxisType | "unknown";
  confidence: number;
  /** What the guess stands on, the weightiest first. */
  evidence: string[];
}

export interface PublicSymbol {
  symbol: string;
  kind: string;
  file: string;
  line: number;
}
