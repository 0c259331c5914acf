import { isIPv4, type Socket } from "node:net";
import { canIdentify, openPeerUsers, type PeerUsers } from "./peer-user.ts";
import { uidNamed } from "./user-names.ts";

/** Who is at the other end of a connection, as far as that decides what they may do. */
export interface Peer {
  /**
   * `own`: a process of the user who runs the server, or of root.
   * `allowed`: one of a user named by `--allow-user`.
   * `stranger`: anybody else, and whoever cannot be identified.
   */
  readonly kind: "own" | "allowed" | "stranger";
  /** Names the peer for counting what it does: `uid 1000`, or its address. */
  readonly name: string;
}

/** Decides who on this machine is served without a credential. */
export interface Admission {
  /**
   * `same-user`: peers are identified. `secret`: they cannot be, and show the home's secret.
   * `open`: everybody on this machine is served, as was asked for.
   */
  readonly rule: "same-user" | "secret" | "open";
  judge(socket: Socket): Promise<Peer>;
}

export interface AdmissionOptions {
  /** Accounts beside our own, by name or number. */
  allowUsers?: readonly string[] | undefined;
  /** Serve every user of this machine. */
  openLoopback?: boolean | undefined;
  peers?: PeerUsers | undefined;
}

/** A connection keeps its judgement; it is made when the first request asks for it. */
export async function openAdmission({
  allowUsers = [],
  openLoopback = false,
  peers = openPeerUsers(),
}: AdmissionOptions = {}): Promise<Admission> {
  const allowed = allowUsers.map(uidNamed);
  const rule = openLoopback ? "open" : (await canIdentify(peers)) ? "same-user" : "secret";
  const judged = new WeakMap<Socket, Promise<Peer>>();

  async function look(socket: Socket): Promise<Peer> {
    const address = socket.remoteAddress ?? "";
    if (!isLoopback(address)) return { kind: "stranger", name: address };
    if (rule === "open") return { kind: "own", name: address };
    const uid = rule === "same-user" ? await peers.uidOf(socket) : undefined;
    if (uid === undefined) return { kind: "stranger", name: address };
    const kind =
      uid === 0 || uid === process.geteuid?.()
        ? "own"
        : allowed.includes(uid)
          ? "allowed"
          : "stranger";
    return { kind, name: `uid ${uid}` };
  }

  return {
    rule,
    judge(socket) {
      const known = judged.get(socket) ?? look(socket);
      judged.set(socket, known);
      return known;
    },
  };
}

/** What the rule in force means, as the start of a server and the doctor say it. */
export const ruleInWords: Record<Admission["rule"], string> = {
  "same-user": "Loopback: processes of your own user and of root need no credential.",
  secret: "Loopback: this platform cannot identify users, so callers need the home's secret.",
  open: "Loopback is open: every user of this machine can read and change what you can.",
};

export const isLoopback = (address: string): boolean => {
  const plain = address.replace(/^::ffff:/i, "");
  return plain === "::1" || (isIPv4(plain) && plain.startsWith("127."));
};
