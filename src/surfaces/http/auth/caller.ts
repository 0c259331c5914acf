import type { Context } from "hono";
import type { Peer } from "../../../kernel/peers/admission.ts";

/** The connection of a request. The server adds it to the environment of each request. */
export interface ConnectionInfo {
  /** `home`: the Unix socket in the home, which only its owner can open. */
  readonly listener: "tcp" | "home";
  /** Unique in this process. */
  readonly connectionId: string;
  peer(): Promise<Peer>;
}

/** The authenticated sender of a request. */
export interface Caller {
  /**
   * `own`: a process of the user who runs the server; it needs no credential.
   * `program`: it sent the token or the home's secret, or its user is in `--allow-user`.
   * `page`: the web app, identified by its session.
   * `anyone`: not authenticated.
   */
  readonly kind: "own" | "program" | "page" | "anyone";
  /** The key for limits per sender: an address, or a user of this machine. */
  readonly sender: string;
}

/** A request without connection data was made inside this process. */
export const connectionInfoOf = (c: Context): ConnectionInfo =>
  c.env?.connectionInfo ?? inProcessConnection;

const inProcessConnection: ConnectionInfo = {
  listener: "tcp",
  connectionId: "",
  peer: async () => ({ kind: "own", name: "this process" }),
};

const key = "caller";

export const setCaller = (c: Context, caller: Caller): void => c.set(key, caller);

export const callerOf = (c: Context): Caller => c.get(key) ?? { kind: "anyone", sender: "" };

/** Whether a request has a credential of agents and programs. It then never acts for a person. */
export const hasAgentCredential = (c: Context): boolean =>
  /^bearer\b/i.test(c.req.header("authorization") ?? "") ||
  c.req.header("mcp-session-id") !== undefined;
