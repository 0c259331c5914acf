import type { Context } from "hono";
import type { Peer } from "../../kernel/peers/admission.ts";

/** What the server puts beside each request that came over a connection. */
export interface Arrival {
  /** `home`: the Unix socket in the home, which only its owner can open. */
  readonly entrance: "tcp" | "home";
  peer(): Promise<Peer>;
}

/** On whose behalf a request is served. */
export interface Caller {
  /**
   * `own`: a process of the server's own user, which needed no credential.
   * `program`: whoever showed the token or the home's secret, or a user of `--allow-user`.
   * `page`: a person at the web app, by their session. `anyone`: nothing is known.
   */
  readonly kind: "own" | "program" | "page" | "anyone";
  /** Names the sender for limits that hold for each: an address, or a user of this machine. */
  readonly sender: string;
}

/** A request that came over no connection was made inside this process. */
export const arrivalOf = (c: Context): Arrival => c.env?.arrival ?? insideArrival;

const insideArrival: Arrival = {
  entrance: "tcp",
  peer: async () => ({ kind: "own", name: "this process" }),
};

const key = "caller";

export const setCaller = (c: Context, caller: Caller): void => c.set(key, caller);

export const callerOf = (c: Context): Caller => c.get(key) ?? { kind: "anyone", sender: "" };

/** Whether a request carries what agents and programs are given; such a one is never a person's. */
export const showsAgentCredential = (c: Context): boolean =>
  /^bearer\b/i.test(c.req.header("authorization") ?? "") ||
  c.req.header("mcp-session-id") !== undefined;
