import type { Actor } from "../../../kernel/call.ts";
import type { App } from "../../../kernel/runtime/app.ts";

/** The result of a quick check of the doctor. */
export interface Finding {
  readonly name: string;
  readonly state: "ok" | "warn" | "fail";
  readonly says: string;
  readonly remedy?: string;
}

/** The state of this server process, for the web app. */
export interface SystemState {
  version: string;
  findings: readonly Finding[];
  /** Long-running jobs. `done` may be known without `total`. */
  running: {
    what: string;
    by?: Actor | undefined;
    since: string;
    done?: number | undefined;
    total?: number | undefined;
    message?: string | undefined;
  }[];
  /** The number of open pages, in all processes of this home. */
  pages: number;
  clients: {
    surface: string;
    client?: string | undefined;
    connections: number;
    calls: number;
    last: string;
  }[];
}

/** The quick checks of `lectern doctor`. */
export type QuickChecks = () => readonly Finding[] | Promise<readonly Finding[]>;

/** Surfaces that are not listed as clients. */
const hiddenSurfaces: readonly string[] = ["web", "cli"];

export async function systemStateOf(app: App, quickChecks: QuickChecks): Promise<SystemState> {
  const { identity, catalogue, runningJobs, clientRegistry, runtime } = app;
  return {
    version: identity.version,
    findings: await quickChecks(),
    running: runningJobs.list().map(({ what, since, ...job }) => ({
      what: catalogue.find(what)?.operation.title ?? what,
      since: new Date(since).toISOString(),
      ...job,
    })),
    pages: await runtime.store.run(runtime.viewers.count()),
    clients: clientRegistry
      .list()
      .filter(({ surface }) => !hiddenSurfaces.includes(surface))
      .map(({ last, ...client }) => ({ ...client, last: new Date(last).toISOString() })),
  };
}
