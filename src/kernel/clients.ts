import type { Actor } from "./call.ts";

/** Who calls this process, and who is connected to it. Nothing is kept beyond its end. */
export interface Clients {
  /** Somebody whose connection lasts; what is given ends it. */
  connect(actor: Actor): () => void;
  /** Somebody made a call. */
  note(actor: Actor): void;
  /** Those connected first, then those who called last. */
  list(): Client[];
}

interface Client extends Actor {
  /** Connections that are open now. */
  connections: number;
  calls: number;
  /** When it was last heard of, in milliseconds since 1970. */
  last: number;
}

/** Names are the clients' own words, so there may be any number of them, and of any length. */
const mostKept = 100;
const longestName = 200;

/** Calls `onChange` when somebody comes or goes; a further call of somebody known is no news. */
export function openClients(onChange: () => void, most = mostKept): Clients {
  const known = new Map<string, Client>();

  function met({ surface, client: name }: Actor): { entry: Client; isNew: boolean } {
    const client = name?.slice(0, longestName);
    const key = JSON.stringify([surface, client]);
    const entry: Client = known.get(key) ?? {
      surface,
      ...(client !== undefined && { client }),
      connections: 0,
      calls: 0,
      last: 0,
    };
    // Taken out and put in again, so that the one heard of longest ago stands first.
    const isNew = !known.delete(key);
    known.set(key, entry);
    entry.last = Date.now();
    if (isNew) forgetOldest();
    return { entry, isNew };
  }

  function forgetOldest(): void {
    for (const [key, { connections }] of known) {
      if (known.size <= most) return;
      if (connections === 0) known.delete(key);
    }
  }

  return {
    connect(actor) {
      const { entry } = met(actor);
      entry.connections++;
      onChange();
      let isOpen = true;
      return () => {
        if (!isOpen) return;
        isOpen = false;
        entry.connections--;
        entry.last = Date.now();
        onChange();
      };
    },
    note(actor) {
      const { entry, isNew } = met(actor);
      entry.calls++;
      if (isNew) onChange();
    },
    list: () =>
      [...known.values()]
        .reverse()
        .sort((a, b) => Number(b.connections > 0) - Number(a.connections > 0)),
  };
}
