import type { Ended } from "../journeys/program.ts";
import type { Line } from "../programs/wire.ts";

/** One result of a search, as agents get it; REST spells `endLine` its own way. */
export interface Hit {
  docid: string;
  file: string;
  title: string;
  score: number;
  context: string | null;
  snippet: string;
  line: number;
  endLine: number;
  headings: string[];
  body?: string;
  explain?: { word: string; read?: string[]; weight: number; strength: number }[];
}

/** A document as every surface prints it. */
export interface Content {
  uri: string;
  name: string;
  title: string;
  mimeType: string;
  text: string;
}

/** The members of REST's answers that tests read. Which of them are there is what is tested. */
export interface Body {
  results: Hit[];
  document: Content;
  content: string | null;
  detail: string;
  status_code: number;
  revision: number;
  collections: { name: string; documents: number }[];
  contexts: { path: string; text: string }[];
}

/** The same for the answer of a tool. */
export interface ToolResult {
  content: { type: string; text: string; resource: Content }[];
  structuredContent: { results: Hit[] } & Record<string, unknown>;
  isError?: boolean;
}

export interface Agent {
  over: "stdio" | "HTTP";
  ask(method: string, params?: object): Promise<Line>;
  call(name: string, input?: object): Promise<ToolResult>;
}

/** The ways into one library that the founding document has. */
export interface Ways {
  agents: Agent[];
  /** `route` is a method and a path; a text is sent as it stands. */
  rest(
    route: string,
    input?: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; type: string; body: Body }>;
  /** One command to its end. */
  qmd(...words: string[]): Promise<Ended>;
}
