import { createDisabledEmbedder, type Embedder, openLocalEmbedder } from "./embedder.ts";
import { type ModelRunner, openModelRunner } from "./local/model-runner.ts";
import { findUserModel, type UserModel, weightsDigest } from "./local/user-model.ts";
import type {
  EmbeddingSettings,
  ExpansionSettings,
  ModelSettings,
  RerankingSettings,
} from "./model-settings.ts";
import { type EndpointLimits, openEndpoint } from "./remote/endpoint.ts";
import { openRemoteEmbedder } from "./remote/remote-embedder.ts";
import { openRemoteReranker } from "./remote/remote-reranker.ts";
import { openLocalReranker, type Reranker } from "./reranker.ts";
import {
  type ClientGenerator,
  clientGenerator,
  openLocalGenerator,
  openRemoteGenerator,
  type TextGenerator,
} from "./text-generator.ts";
import { createVectorDimensions } from "./vector-dimensions.ts";

/**
 * The models of this process, shared by all shelves: the configured ones, else the bundled ones.
 * Opening them neither loads files nor sends requests.
 */
export interface Models {
  readonly embedder: Embedder;
  /** Undefined if the configuration disables it. */
  readonly reranker: Reranker | undefined;
  /** Undefined unless one is configured. */
  readonly expander: TextGenerator | ClientGenerator | undefined;
  close(): Promise<void>;
}

export interface ModelsOptions {
  /** The current configuration. */
  settings: () => ModelSettings | undefined;
  /** Relative paths in the configuration start here. */
  configFolder: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** The dimensions of the stored vectors of a model. */
  storedDimensions: (model: { id: string; weights: string }) => number | undefined;
  /** Limits of requests to servers. */
  limits?: Partial<EndpointLimits>;
}

export function openModels(options: ModelsOptions, runtime = openModelRunner()): Models {
  const { settings, configFolder } = options;
  const parts = { ...options, runtime };
  const embedder = memoizeBySettings(
    () => settings()?.embedding,
    configFolder,
    (...args) => embedderFor(parts, ...args),
  );
  const reranker = memoizeBySettings(
    () => settings()?.reranking,
    configFolder,
    (...args) => rerankerFor(parts, ...args),
  );
  const expander = memoizeBySettings(
    () => settings()?.expansion,
    configFolder,
    (...args) => expanderFor(parts, ...args),
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

/** The names of the active models, for display. */
export const modelNames = ({ embedder, reranker, expander }: Models) => ({
  embedding: embedder.id,
  reranking: reranker?.id ?? "none",
  expansion: expander?.id ?? "none",
});

/** The known problems of the models. Reading them loads no model. */
export const modelProblems = ({ embedder, reranker, expander }: Models): string[] =>
  [
    embedder.isOff ? undefined : embedder.problem,
    reranker?.problem,
    expander && "problem" in expander ? expander.problem : undefined,
  ].filter((problem) => problem !== undefined);

type OpenOptions = ModelsOptions & { runtime: ModelRunner };

/** Opens a model again only when its configuration or its files change. */
function memoizeBySettings<Setting extends { kind: string }, Model>(
  read: () => Setting | undefined,
  configFolder: string,
  open: (setting: Setting | undefined, userModel: UserModel | undefined) => Model,
): () => Model {
  let known: { key: string; model: Model } | undefined;
  return () => {
    const setting = read();
    const userModel = setting && findUserModel(setting, configFolder);
    const key = JSON.stringify([setting, userModel]);
    if (known?.key !== key) known = { key, model: open(setting, userModel) };
    return known.model;
  };
}

function embedderFor(
  parts: OpenOptions,
  setting: EmbeddingSettings | undefined,
  userModel: UserModel | undefined,
): Embedder {
  const { runtime, storedDimensions } = parts;
  if (setting?.kind === "none") return createDisabledEmbedder();
  if (setting && "url" in setting) {
    const configured = "dimensions" in setting ? setting.dimensions : undefined;
    return openRemoteEmbedder(setting, endpointFor("embedding", setting, parts), (model) =>
      createVectorDimensions(() => storedDimensions(model), configured),
    );
  }
  if (!setting || !userModel) return openLocalEmbedder(runtime);
  const { id, model } = userModel;
  const weights = weightsDigest(model, setting.document_prefix);
  const dimensions = createVectorDimensions(() => storedDimensions({ id, weights }));
  const { query_prefix, document_prefix } = setting;
  const prefixes = { query_prefix, document_prefix };
  return openLocalEmbedder(runtime, {
    id,
    model,
    weights,
    dimensions,
    languages: "all",
    ...prefixes,
  });
}

function rerankerFor(
  parts: OpenOptions,
  setting: RerankingSettings | undefined,
  userModel: UserModel | undefined,
): Reranker | undefined {
  if (setting?.kind === "none") return undefined;
  if (setting?.kind === "openai") {
    return openRemoteReranker(setting, endpointFor("reranking", setting, parts));
  }
  return openLocalReranker(parts.runtime, userModel && { ...userModel, languages: "all" });
}

function expanderFor(
  parts: OpenOptions,
  setting: ExpansionSettings | undefined,
  userModel: UserModel | undefined,
): TextGenerator | ClientGenerator | undefined {
  if (setting?.kind === "client") return clientGenerator;
  if (setting && "url" in setting) {
    return openRemoteGenerator(setting, endpointFor("expansion", setting, parts));
  }
  return userModel && openLocalGenerator(parts.runtime, userModel);
}

const endpointFor = (
  role: keyof typeof queryMs,
  settings: { url: string; key_from?: string | undefined },
  { environment, limits }: OpenOptions,
) => openEndpoint({ role, settings, environment, limits: { queryMs: queryMs[role], ...limits } });

/** Timeouts of queries: longest for embedding, which affects the results most. */
const queryMs = { embedding: 8_000, reranking: 6_000, expansion: 4_000 };
