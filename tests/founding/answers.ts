import type { Ended } from "../journeys/program.ts";
import type { Line } from "../programs/wire.ts";

/** One search result as agents get it. REST uses snake_case keys. */
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

/** A document as every surface returns it. */
export interface Content {
  uri: string;
  name: string;
  title: string;
  mimeType: string;
  text: string;
}

/** The fields of REST responses that the tests use. A response has only some of them. */
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

/** The fields of tool results that the tests use. */
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

/** Clients of the surfaces that the founding document defines. */
export interface SurfaceClients {
  agents: Agent[];
  /** `route` is a method and a path; a string is sent unchanged. */
  rest(
    route: string,
    input?: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; type: string; body: Body }>;
  /** Runs a command until it exits. */
  qmd(...args: string[]): Promise<Ended>;
}
