import type { Content } from "./block.ts";
import type { Call, CallOptions } from "./call.ts";
import { type Catalogue, type Entry, makeCatalogue } from "./catalogue.ts";
import { type Clients, openClients } from "./clients.ts";
import { Failure, invalid, notFound } from "./failure.ts";
import type { House } from "./house.ts";
import type { Keeper } from "./keeper.ts";
import { isHeld } from "./lease.ts";
import type { Log } from "./log.ts";
import { openMetrics } from "./metrics.ts";
import type { Notice } from "./notices.ts";
import { offerPrompts } from "./offered-prompts.ts";
import { openHouse } from "./open-house.ts";
import { attempt, type Outcome, perform } from "./perform.ts";
import type { Prompt, Rendering } from "./prompt.ts";
import { type Completion, familyOf, type ResourceEntry } from "./resource.ts";
import { openRunning, type Running } from "./running.ts";
import { filesOf, type Settings } from "./settings.ts";
import type { AnyShelf } from "./shelf.ts";
import type { Lending } from "./sql/set.ts";
import { openTracking } from "./tracking.ts";

/** How this program introduces itself; the name it was started by decides. */
export interface Identity {
  readonly name: string;
  readonly title: string;
  readonly version: string;
}

/**
 * Everything a surface needs: the definitions, and a way to call each of them. Nothing is opened
 * until the first call needs it, so that a handshake never waits for a disk.
 */
export interface Library {
  readonly identity: Identity;
  readonly settings: Settings;
  readonly log: Log;
  readonly catalogue: Catalogue;
  readonly house: House;
  /** What this process is busy with, and who calls it. */
  readonly running: Running;
  readonly clients: Clients;
  call(entry: Entry, input: unknown, options: CallOptions): Promise<Outcome & { input?: unknown }>;
  listResources(): Promise<ResourceEntry[]>;
  readResource(uri: string, options: CallOptions): Promise<Outcome<Content[]>>;
  /** The URI that notices use for a resource; the given one where nobody knows better. */
  canonicalUri(uri: string): Promise<string>;
  listPrompts(): Promise<Prompt[]>;
  renderPrompt(
    name: string,
    values: Record<string, string>,
    options: CallOptions,
  ): Promise<Outcome<Rendering>>;
  complete(request: CompletionRequest, options: CallOptions): Promise<Outcome<Completion[]>>;
  subscribe(listener: (notice: Notice) => void): () => void;
  /** Whether calls can be answered: the configuration can be read, and the store too. */
  isReady(): boolean;
  /** Whether texts can be turned into vectors. */
  hasModel(): boolean;
  /**
   * Takes in what changed on disk, for a process that ends after one call; the others have a
   * keeper. Where one runs in another process, only what was never read to its end is left to do:
   * the store was made anew, or whoever did it was killed.
   */
  fill(options: CallOptions): Promise<void>;
  /** From here on the process watches, indexes when it holds the lease, and hears of others' changes. */
  keep(): void;
  close(): Promise<void>;
}

export type CompletionRequest = {
  argument: string;
  typed: string;
  given: Readonly<Record<string, string>>;
} & ({ prompt: string } | { template: string });

export interface LibraryOptions {
  shelves: readonly AnyShelf[];
  settings: Settings;
  identity: Identity;
  log: Log;
}

export function openLibrary({ shelves, settings, identity, log }: LibraryOptions): Library {
  const catalogue = makeCatalogue(shelves, {
    only: settings.shelves,
    readOnly: settings.readOnly,
  });
  const listeners = new Set<(notice: Notice) => void>();
  const states = new Map<AnyShelf, unknown>();
  const metrics = openMetrics();
  const houseChanged = (): void => tellHere([{ topic: "house.changed" }]);
  const running = openRunning(houseChanged);
  const clients = openClients(houseChanged);
  const { tracked, measured } = openTracking({ log, metrics, running, clients, tell });
  const prompts = offerPrompts(catalogue, stateOf);
  const watches: (() => void)[] = [];
  let house: House | undefined;
  let keeper: Promise<Keeper | undefined> | undefined;

  const openedHouse = (): House => {
    if (!house) {
      house = openHouse({
        settings,
        log,
        shelves,
        stateOf,
        performByName,
        lendings,
        metrics,
        running,
      });
      house.notices.subscribe((notice) => tellHere([notice]));
    }
    return house;
  };
  function stateOf(shelf: AnyShelf): unknown {
    if (!states.has(shelf)) states.set(shelf, shelf.open(openedHouse()));
    return states.get(shelf);
  }

  /** Tells the clients of this process, and nobody else of the home. */
  function tellHere(notices: readonly Notice[]): void {
    for (const notice of notices) for (const listener of listeners) listener(notice);
  }

  /** Stored operations come to life here; they may be of a shelf that is not shown. */
  async function performByName(name: string, input: unknown, call: Call): Promise<Outcome> {
    const entry = makeCatalogue(shelves).find(name);
    if (!entry) throw notFound(`Operation not found: ${name}`);
    return perform(entry.operation, input, () => stateOf(entry.shelf), call);
  }

  /** A shelf that has nothing to lend now, such as one without its folder, keeps no other from it. */
  async function lendings(sql: string, call: Call): Promise<Lending[]> {
    const statement = sql.toLowerCase();
    const lent = catalogue.shelves.map(async (shelf) => {
      const isNamed = shelf.lends?.tables.some((table) => statement.includes(table));
      if (!isNamed) return undefined;
      try {
        return await shelf.lends?.now(stateOf(shelf), { sql, call });
      } catch (error) {
        if (error instanceof Failure) return undefined;
        throw error;
      }
    });
    return (await Promise.all(lent)).filter((one) => one !== undefined);
  }

  /** What was done stays done, even where nobody can be told of it. */
  function tell(announced: readonly Notice[]): void {
    try {
      const { db, notices } = openedHouse();
      db.transaction(() => notices.record(announced));
      notices.deliver();
    } catch (error) {
      log("error", "notices could not be sent", { cause: error });
    }
  }

  return {
    identity,
    settings,
    log,
    catalogue,
    running,
    clients,
    get house() {
      return openedHouse();
    },
    call: (entry, input, options) =>
      tracked(entry.operation.name, entry.operation.name, options, (call) =>
        perform(entry.operation, input, () => stateOf(entry.shelf), call),
      ),
    listResources: () =>
      measured("resources/list", async () => {
        const lists = catalogue.resources.map(({ family, shelf }) => family.list?.(stateOf(shelf)));
        return (await Promise.all(lists)).flatMap((list) => list ?? []);
      }),
    readResource: (uri, options) =>
      tracked("resources/read", `read ${uri}`, options, (call) =>
        attempt(call, async () => {
          const known = findFamily(uri);
          if (!known) throw new Failure("not-found", "not-found", "Resource not found");
          return { value: await known.family.read(uri, stateOf(known.shelf), call) };
        }),
      ),
    async canonicalUri(uri) {
      const known = findFamily(uri);
      return (await known?.family.canonical?.(uri, stateOf(known.shelf))) ?? uri;
    },
    listPrompts: () => measured("prompts/list", prompts.list),
    renderPrompt: (name, values, options) =>
      tracked("prompts/get", `prompt ${name}`, options, (call) =>
        attempt(call, async () => ({ value: await prompts.render(name, values, call) })),
      ),
    complete: (request, options) =>
      tracked("completion/complete", "complete", options, (call) =>
        attempt(call, async () => ({ value: await completions(request) })),
      ),
    isReady() {
      try {
        const { config, revision } = openedHouse();
        config.read();
        return revision() >= 0;
      } catch (error) {
        log("error", "not ready", { cause: error });
        return false;
      }
    },
    hasModel: () => openedHouse().models.embedder.problem === undefined,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async fill(options) {
      const { intake, queue, roots } = openedHouse();
      const isKept = isHeld(filesOf(settings).lease);
      if (!isKept) intake.forgetAllBut(roots);
      const due = isKept ? intake.unread(roots()) : intake.due(roots());
      if (due.length === 0) return;
      const outcome = await tracked("fill", "fill", options, (call) =>
        attempt(call, async () => ({
          value: await queue.run("fill", () =>
            intake.scan(due, { signal: call.signal, onProgress: call.progress }),
          ),
        })),
      );
      if (!outcome.ok && outcome.failure) throw outcome.failure;
    },
    keep() {
      keeper ??= import("./keeper.ts")
        .then(({ startKeeper }) => {
          const started = startKeeper(openedHouse());
          for (const shelf of catalogue.shelves) {
            if (shelf.watch) watches.push(shelf.watch(stateOf(shelf), tellHere));
          }
          return started;
        })
        // Calls go on and say what is wrong; without a home there is nothing to keep.
        .catch((error) => {
          log("error", "the background cannot start", { cause: error });
          return undefined;
        });
    },
    async close() {
      const kept = await keeper;
      for (const end of watches) end();
      await kept?.close();
      await Promise.all([house?.reader.close(), house?.models.close()]);
      house?.db.close();
    },
  };

  function findFamily(uri: string) {
    const families = catalogue.resources.map((known) => ({ ...known, uri: known.family.uri }));
    return familyOf(families, uri);
  }

  async function completions(request: CompletionRequest): Promise<Completion[]> {
    if ("prompt" in request) return prompts.complete(request.prompt, request);
    const { argument, typed, given } = request;
    const known = catalogue.resources.find(({ family }) => family.uri === request.template);
    if (!known) throw invalid(`Resource template not found: ${request.template}`);
    return (await known.family.complete?.(argument, typed, stateOf(known.shelf), given)) ?? [];
  }
}
