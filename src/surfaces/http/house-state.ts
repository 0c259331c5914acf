import type { Actor } from "../../kernel/call.ts";
import type { Library } from "../../kernel/library.ts";

/** What a look at the installation found; the doctor's own form. */
export interface Finding {
  readonly name: string;
  readonly state: "ok" | "warn" | "fail";
  readonly says: string;
  readonly remedy?: string;
}

/** What goes on in this process, for the people who use it. */
export interface HouseState {
  version: string;
  findings: readonly Finding[];
  /** Work that takes its time. A number of things done may be known without their total. */
  running: {
    what: string;
    by?: Actor | undefined;
    since: string;
    done?: number | undefined;
    total?: number | undefined;
    message?: string | undefined;
  }[];
  /** Pages that are open, in all processes of the home. */
  pages: number;
  clients: {
    surface: string;
    client?: string | undefined;
    connections: number;
    calls: number;
    last: string;
  }[];
}

/** The page itself and a person's own shell are no clients that anybody asks for. */
const ownSurfaces: readonly string[] = ["web", "cli"];

export function houseState(library: Library, examine: () => readonly Finding[]): HouseState {
  const { identity, catalogue, running, clients, house } = library;
  return {
    version: identity.version,
    findings: examine(),
    running: running.list().map(({ what, since, ...job }) => ({
      what: catalogue.find(what)?.operation.title ?? what,
      since: new Date(since).toISOString(),
      ...job,
    })),
    pages: house.viewers.count(),
    clients: clients
      .list()
      .filter(({ surface }) => !ownSurfaces.includes(surface))
      .map(({ last, ...client }) => ({ ...client, last: new Date(last).toISOString() })),
  };
}
