import type { Content } from "./block.ts";
import type { Call, CallOptions } from "./call.ts";
import { type Catalogue, type Entry, makeCatalogue } from "./catalogue.ts";
import { type Clients, openClients } from "./clients.ts";
import { configGone } from "./config.ts";
import { indexDamagedCode } from "./damage.ts";
import { isBusy } from "./database.ts";
import { Failure, invalid, notFound } from "./failure.ts";
import { homeGone } from "./held-files.ts";
import type { HostConnection } from "./host/host.ts";
import { openIndexer } from "./host/indexer.ts";
import { isolated } from "./host/isolated.ts";
import type { House } from "./house.ts";
import type { Keeper } from "./keeper.ts";
import { isHeld } from "./lease.ts";
import type { Log } from "./log.ts";
import { openMetrics } from "./metrics.ts";
import { openNoticeOutbox } from "./notice-outbox.ts";
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
import { noteDamage } from "./verification.ts";

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
  /** The state of a shelf, opened at its first use; for a host, which runs its operations. */
  stateOf(shelf: AnyShelf): unknown;
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
  /** Why calls cannot be answered, or what they write not be kept; nothing where all is well. */
  problem(): string | undefined;
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
  /** Starts a host for a shelf that has to be isolated; without it, shelves run in this process. */
  startHost?: (shelf: AnyShelf) => HostConnection;
}

/** So long a command waits for a process that writes and does not finish. */
const shellPatienceMs = 30_000;

export function openLibrary({
  shelves: given,
  settings,
  identity,
  log,
  startHost,
}: LibraryOptions): Library {
  const { shelves, closeHosts } = isolated(given, { startHost, settings, log });
  const absorbing = given.find(({ absorb }) => absorb);
  const indexer = startHost && absorbing && openIndexer({ start: () => startHost(absorbing), log });
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
  const outbox = openNoticeOutbox(openedHouse, log);
  const { tracked, measured } = openTracking({
    log,
    metrics,
    running,
    clients,
    tell: outbox.send,
  });
  const prompts = offerPrompts(catalogue, stateOf);
  const watches: (() => void)[] = [];
  let house: House | undefined;
  let keeper: Promise<Keeper | undefined> | undefined;

  function openedHouse(): House {
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
        takeElsewhere: indexer?.take,
      });
      house.notices.subscribe((notice) => tellHere([notice]));
    }
    return house;
  }
  function stateOf(shelf: AnyShelf): unknown {
    if (!states.has(shelf)) states.set(shelf, shelf.open(openedHouse()));
    return states.get(shelf);
  }

  /**
   * What writes waits here for the other processes of the home, while this one goes on serving.
   * A person at a shell may wait long, and is told for whom; everybody else may try again.
   */
  function stateFor({ operation, shelf }: Entry, call: Call): unknown {
    const state = stateOf(shelf);
    if (operation.effect === "reads") return state;
    const waiting = openedHouse().db.writable({
      signal: call.signal,
      patienceMs: call.actor.surface === "cli" ? shellPatienceMs : undefined,
      onWait: (reason) => call.log("warn", `${reason}; waiting for it.`),
    });
    return waiting ? waiting.then(() => state) : state;
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

  return {
    identity,
    settings,
    log,
    catalogue,
    running,
    clients,
    stateOf,
    get house() {
      return openedHouse();
    },
    async call(entry, input, options) {
      const { name } = entry.operation;
      const outcome = await tracked(name, name, options, (call) =>
        perform(entry.operation, input, () => stateFor(entry, call), call),
      );
      const isDamageMet = !outcome.ok && outcome.failure?.code === indexDamagedCode;
      if (isDamageMet) await noteDamage(openedHouse().db);
      return outcome;
    },
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
    problem() {
      try {
        const { config, db, revision } = openedHouse();
        if (!db.isInPlace()) throw homeGone();
        config.read();
        revision();
        return config.isGone() ? configGone().message : undefined;
      } catch (error) {
        log("error", "not ready", { cause: error });
        return error instanceof Failure ? error.message : "Internal error";
      }
    },
    hasModel: () => openedHouse().models.embedder.problem === undefined,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async fill(options) {
      const { db, intake, queue, roots } = openedHouse();
      const isKept = isHeld(filesOf(settings).lease);
      try {
        await db.writable({ signal: options.signal });
      } catch (error) {
        if (!isBusy(error)) throw error;
        log("warn", "the answer may be older than the files", { cause: error });
        return;
      }
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
      outbox.close();
      await kept?.close();
      await Promise.all([closeHosts(), indexer?.close()]);
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
