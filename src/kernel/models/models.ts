import { type BroughtModel, broughtModel, weightsOf } from "./brought-model.ts";
import type {
  EmbeddingSettings,
  ExpansionSettings,
  ModelSettings,
  RerankingSettings,
} from "./configured.ts";
import { makeDimensions } from "./dimensions.ts";
import { type Embedder, openEmbedder, switchedOffEmbedder } from "./embedder.ts";
import { type EndpointLimits, openEndpoint } from "./endpoint.ts";
import { openRemoteEmbedder } from "./remote-embedder.ts";
import { openRemoteReranker } from "./remote-reranker.ts";
import { openReranker, type Reranker } from "./reranker.ts";
import { type ModelRuntime, openModelRuntime } from "./runtime.ts";
import {
  type ClientsWriter,
  clientsWriter,
  openLocalWriter,
  openRemoteWriter,
  type Writer,
} from "./writer.ts";

/**
 * The models of this process, which all shelves share: those that the configuration names now, and
 * where it names none, those that ship with the program. Opening them loads and sends nothing.
 */
export interface Models {
  readonly embedder: Embedder;
  /** Nothing where people switched it off. */
  readonly reranker: Reranker | undefined;
  /** Nothing unless people named one. */
  readonly expander: Writer | ClientsWriter | undefined;
  close(): Promise<void>;
}

export interface ModelsOptions {
  /** What the configuration says now. */
  settings: () => ModelSettings | undefined;
  /** What paths in it start from. */
  configFolder: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** How long the vectors are that the store has of a model. */
  keptDimensions: (model: { id: string; weights: string }) => number | undefined;
  /** Of servers. */
  limits?: Partial<EndpointLimits>;
}

export function openModels(options: ModelsOptions, runtime = openModelRuntime()): Models {
  const { settings, configFolder } = options;
  const parts = { ...options, runtime };
  const embedder = latest(
    () => settings()?.embedding,
    configFolder,
    (...found) => embedderFor(parts, ...found),
  );
  const reranker = latest(
    () => settings()?.reranking,
    configFolder,
    (...found) => rerankerFor(parts, ...found),
  );
  const expander = latest(
    () => settings()?.expansion,
    configFolder,
    (...found) => expanderFor(parts, ...found),
  );
  return {
    get embedder() {
      return embedder();
    },
    get reranker() {
      return reranker();
    },
    get expander() {
      return expander();
    },
    close: () => runtime.close(),
  };
}

/** Which models are in force, as people are told. */
export const modelNames = ({ embedder, reranker, expander }: Models) => ({
  embedding: embedder.id,
  reranking: reranker?.id ?? "none",
  expansion: expander?.id ?? "none",
});

/** What keeps models from being used, as far as that shows without using them. */
export const problemsOf = ({ embedder, reranker, expander }: Models): string[] =>
  [
    embedder.isOff ? undefined : embedder.problem,
    reranker?.problem,
    expander && "problem" in expander ? expander.problem : undefined,
  ].filter((problem) => problem !== undefined);

type Parts = ModelsOptions & { runtime: ModelRuntime };

/**
 * The same model as long as the configuration and the model's files are the same. All processes of
 * a home read one configuration, so that none embeds again what another has just embedded.
 */
function latest<Setting extends { kind: string }, Model>(
  read: () => Setting | undefined,
  configFolder: string,
  open: (setting: Setting | undefined, brought: BroughtModel | undefined) => Model,
): () => Model {
  let known: { key: string; model: Model } | undefined;
  return () => {
    const setting = read();
    const brought = setting && broughtModel(setting, configFolder);
    const key = JSON.stringify([setting, brought]);
    if (known?.key !== key) known = { key, model: open(setting, brought) };
    return known.model;
  };
}

function embedderFor(
  parts: Parts,
  setting: EmbeddingSettings | undefined,
  brought: BroughtModel | undefined,
): Embedder {
  const { runtime, keptDimensions } = parts;
  if (setting?.kind === "none") return switchedOffEmbedder();
  if (setting && "url" in setting) {
    const asked = "dimensions" in setting ? setting.dimensions : undefined;
    return openRemoteEmbedder(setting, endpointFor("embedding", setting, parts), (model) =>
      makeDimensions(() => keptDimensions(model), asked),
    );
  }
  if (!setting || !brought) return openEmbedder(runtime);
  const { id, model } = brought;
  const weights = weightsOf(model, setting.document_prefix);
  const dimensions = makeDimensions(() => keptDimensions({ id, weights }));
  const { query_prefix, document_prefix } = setting;
  const prefixes = { query_prefix, document_prefix };
  return openEmbedder(runtime, { id, model, weights, dimensions, languages: "all", ...prefixes });
}

function rerankerFor(
  parts: Parts,
  setting: RerankingSettings | undefined,
  brought: BroughtModel | undefined,
): Reranker | undefined {
  if (setting?.kind === "none") return undefined;
  if (setting?.kind === "openai") {
    return openRemoteReranker(setting, endpointFor("reranking", setting, parts));
  }
  return openReranker(parts.runtime, brought && { ...brought, languages: "all" });
}

function expanderFor(
  parts: Parts,
  setting: ExpansionSettings | undefined,
  brought: BroughtModel | undefined,
): Writer | ClientsWriter | undefined {
  if (setting?.kind === "client") return clientsWriter;
  if (setting && "url" in setting) {
    return openRemoteWriter(setting, endpointFor("expansion", setting, parts));
  }
  return brought && openLocalWriter(parts.runtime, brought);
}

const endpointFor = (
  role: keyof typeof queryMs,
  settings: { url: string; key_from?: string | undefined },
  { environment, limits }: Parts,
) => openEndpoint({ role, settings, environment, limits: { queryMs: queryMs[role], ...limits } });

/** How long a query waits: longest for what it cannot do without. */
const queryMs = { embedding: 8_000, reranking: 6_000, expansion: 4_000 };
