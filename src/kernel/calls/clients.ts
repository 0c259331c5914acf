import type { Actor } from "../call.ts";

/** The callers and open connections of this process; in memory only. */
export interface ClientRegistry {
  /** Registers a connection; the returned function unregisters it. */
  connect(actor: Actor): () => void;
  /** Counts a call. */
  recordCall(actor: Actor): void;
  /** Connected clients first, then by their last call, newest first. */
  list(): Client[];
}

interface Client extends Actor {
  /** Open connections. */
  connections: number;
  calls: number;
  /** Time of the last activity, in milliseconds since 1970. */
  last: number;
}

/** Clients choose their names, so the number and length of names must be limited. */
const maxClients = 100;
const maxNameLength = 200;

/** Calls `onChange` when a client connects, disconnects or calls for the first time. */
export function createClientRegistry(onChange: () => void, limit = maxClients): ClientRegistry {
  const clients = new Map<string, Client>();

  function touch({ surface, client: name }: Actor): { entry: Client; isNew: boolean } {
    const client = name?.slice(0, maxNameLength);
    const key = JSON.stringify([surface, client]);
    const entry: Client = clients.get(key) ?? {
      surface,
      ...(client !== undefined && { client }),
      connections: 0,
      calls: 0,
      last: 0,
    };
    // Reinserting moves the entry to the end, so the map is ordered by last activity.
    const isNew = !clients.delete(key);
    clients.set(key, entry);
    entry.last = Date.now();
    if (isNew) evictOldest();
    return { entry, isNew };
  }

  function evictOldest(): void {
    for (const [key, { connections }] of clients) {
      if (clients.size <= limit) return;
      if (connections === 0) clients.delete(key);
    }
  }

  return {
    connect(actor) {
      const { entry } = touch(actor);
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
    recordCall(actor) {
      const { entry, isNew } = touch(actor);
      entry.calls++;
      if (isNew) onChange();
    },
    list: () =>
      [...clients.values()]
        .reverse()
        .sort((a, b) => Number(b.connections > 0) - Number(a.connections > 0)),
  };
}
