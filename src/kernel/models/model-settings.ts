import * as z from "zod";

/**
 * The configured models, which replace the bundled ones. The schema is created lazily, because
 * creating it takes as long as a search.
 */
function modelsSchema() {
  const serverUrl = z
    .string()
    .max(2_000)
    .superRefine((text, context) => {
      const problem = urlProblem(text);
      if (problem) context.addIssue({ code: "custom", message: problem });
    });

  /** The configuration file may be shared or backed up, so it only names the variable of the key. */
  const keyFrom = z
    .string()
    .regex(/^[A-Z_][A-Z0-9_]*$/, "is the name of an environment variable, such as OPENAI_API_KEY")
    .optional();

  const name = z.string().min(1).max(200);
  const path = z.string().min(1);

  /** Many embedding models expect different prefixes for queries and documents. */
  const prefixes = {
    query_prefix: z.string().max(1_000).optional(),
    document_prefix: z.string().max(1_000).optional(),
  };

  const openai = { kind: z.literal("openai"), url: serverUrl, model: name, key_from: keyFrom };
  const ollama = { kind: z.literal("ollama"), url: serverUrl, model: name, key_from: keyFrom };
  const folder = { kind: z.literal("folder"), path };
  const gguf = { kind: z.literal("gguf"), path };
  const none = z.strictObject({ kind: z.literal("none") });

  const embedding = roleSchema(
    z.discriminatedUnion("kind", [
      z.strictObject({
        ...openai,
        ...prefixes,
        /** The dimensions to request; default: those of the server. */
        dimensions: z.int().min(1).max(100_000).optional(),
      }),
      z.strictObject({ ...ollama, ...prefixes }),
      z.strictObject({
        ...folder,
        ...prefixes,
        /** Mean pooling, which most models use, or the vector of the first token. */
        pooling: z.enum(["mean", "first"]).optional(),
      }),
      z.strictObject({ ...gguf, ...prefixes }),
      none,
    ]),
    { client: "a client's model cannot compute vectors" },
  );

  const reranking = roleSchema(
    z.discriminatedUnion("kind", [
      z.strictObject(openai),
      z.strictObject(folder),
      z.strictObject(gguf),
      none,
    ]),
    {
      ollama: "Ollama cannot re-rank: use a server with '/rerank' as 'openai', or a 'folder'",
      client: "a client's model is used for query expansion only",
    },
  );

  const expansion = roleSchema(
    z.discriminatedUnion("kind", [
      z.strictObject(openai),
      z.strictObject(ollama),
      z.strictObject(gguf),
      z.strictObject({ kind: z.literal("client") }),
      none,
    ]),
    { folder: "a model in a folder cannot generate text: use 'openai', 'ollama' or 'gguf'" },
  );

  return z.looseObject({
    embedding: embedding.optional(),
    reranking: reranking.optional(),
    expansion: expansion.optional(),
  });
}

export type ModelSettings = z.output<ReturnType<typeof modelsSchema>>;
export type EmbeddingSettings = NonNullable<ModelSettings["embedding"]>;
export type RerankingSettings = NonNullable<ModelSettings["reranking"]>;
export type ExpansionSettings = NonNullable<ModelSettings["expansion"]>;
/** A model that answers over HTTP. */
export type RemoteSettings = Extract<EmbeddingSettings, { url: string }>;

/** The first problem of the settings and its path, if there is one. */
export function validateModelSettings(
  value: unknown,
): { path: PropertyKey[]; message: string } | undefined {
  return modelsSchema().safeParse(value).error?.issues[0];
}

type KindUnion = z.ZodDiscriminatedUnion<readonly z.core.$ZodTypeDiscriminable[]>;

/** Adds clear messages for unsupported kinds and for keys written into the configuration. */
function roleSchema<Models extends KindUnion>(models: Models, unsupported: Record<string, string>) {
  const kinds = models.options.flatMap((option) => [...(option._zod.propValues?.kind ?? [])]);
  return z
    .unknown()
    .superRefine((value, context) => {
      const addIssue = (field: string, message: string) =>
        context.addIssue({ code: "custom", path: [field], message });
      const entries = new Map(Object.entries(Object(value)));
      const secret = [...entries.keys()].find((key) => secretKeyPattern.test(key));
      if (secret) {
        addIssue(secret, "must not contain a key: name its environment variable in 'key_from'");
      }
      const kind = String(entries.get("kind"));
      if (!kinds.includes(kind)) {
        addIssue("kind", unsupported[kind] ?? `must be one of ${kinds.join(", ")}`);
      }
    })
    .pipe(models);
}

/** The usual names of secrets. */
const secretKeyPattern =
  /^(x[_-])?((api|secret|access|auth)[_-]?)?(key|token|secret|password|authorization|bearer)$/i;

function urlProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return "must be a complete URL, such as http://localhost:8080/v1";
  const { protocol, username, password, search, hash } = new URL(text);
  if (protocol !== "http:" && protocol !== "https:") return "must start with http:// or https://";
  if (username || password) return "must not contain a user name or password: use 'key_from'";
  if (search || hash) return "must not contain '?' or '#'";
  return undefined;
}
