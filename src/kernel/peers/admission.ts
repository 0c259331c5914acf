import { isIPv4, type Socket } from "node:net";
import { canIdentifyPeers, openPeerIdentifier, type PeerIdentifier } from "./peer-users.ts";
import { resolveUid } from "./user-ids.ts";

/** The peer of a connection, classified for access control. */
export interface Peer {
  /**
   * `own`: a process of the user who runs the server, or of root. `allowed`: a process of a user
   * allowed by `--allow-user`. `stranger`: any other user, or a peer that cannot be identified.
   */
  readonly kind: "own" | "allowed" | "stranger";
  /** Identifies the peer in counters: `uid 1000`, or its address. */
  readonly name: string;
}

/** Decides which users of this machine need no credential. */
export interface Admission {
  /**
   * `same-user`: peers are identified. `secret`: they cannot be identified and must send the home's
   * secret. `open`: every user of this machine is served, as configured.
   */
  readonly rule: "same-user" | "secret" | "open";
  /** Accounts named by `--allow-user`. */
  readonly allowedUsers: readonly string[];
  classify(socket: Socket): Promise<Peer>;
}

export interface AdmissionOptions {
  /** Additional users, by name or number. */
  allowUsers?: readonly string[] | undefined;
  /** Serve every user of this machine. */
  openLoopback?: boolean | undefined;
  peers?: PeerIdentifier | undefined;
}

/** Each connection is classified once, at its first request. */
export async function openAdmission({
  allowUsers = [],
  openLoopback = false,
  peers = openPeerIdentifier(),
}: AdmissionOptions = {}): Promise<Admission> {
  const allowed = allowUsers.map(resolveUid);
  const rule = openLoopback ? "open" : (await canIdentifyPeers(peers)) ? "same-user" : "secret";
  const classified = new WeakMap<Socket, Promise<Peer>>();

  async function classifyPeer(socket: Socket): Promise<Peer> {
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
    allowedUsers: allowUsers,
    classify(socket) {
      const peer = classified.get(socket) ?? classifyPeer(socket);
      classified.set(socket, peer);
      return peer;
    },
  };
}

/** Who needs no credential over loopback, as printed at the start of a server and by the doctor. */
export function describeAdmission({
  rule,
  allowedUsers,
}: Pick<Admission, "rule" | "allowedUsers">): string {
  switch (rule) {
    case "same-user": {
      const users = ["your own user", "root", ...allowedUsers];
      const list = `${users.slice(0, -1).join(", ")} and ${users.at(-1)}`;
      return `Loopback: processes of ${list} need no credential.`;
    }
    case "secret":
      return "Loopback: this platform cannot identify users, so callers need the home's secret.";
    case "open":
      return "Loopback is open: every user of this machine can read and change what you can.";
  }
}

export const isLoopback = (address: string): boolean => {
  const plain = address.replace(/^::ffff:/i, "");
  return plain === "::1" || (isIPv4(plain) && plain.startsWith("127."));
};
