import * as z from "zod";

/**
 * Which models are used instead of those that ship with the program. The schema is made for those
 * who configure some: it takes as long as a search.
 */
function modelsSchema() {
  /** Where a server answers. */
  const address = z
    .string()
    .max(2_000)
    .superRefine((text, context) => {
      const problem = problemWithAddress(text);
      if (problem) context.addIssue({ code: "custom", message: problem });
    });

  /** What stands in the file is read by backups and colleagues too, so it only says where the key is. */
  const keyFrom = z
    .string()
    .regex(/^[A-Z_][A-Z0-9_]*$/, "is the name of an environment variable, such as OPENAI_API_KEY")
    .optional();

  const name = z.string().min(1).max(200);
  const path = z.string().min(1);

  /** Many embedding models want to be told what a text is. */
  const prefixes = {
    query_prefix: z.string().max(1_000).optional(),
    document_prefix: z.string().max(1_000).optional(),
  };

  const openai = { kind: z.literal("openai"), url: address, model: name, key_from: keyFrom };
  const ollama = { kind: z.literal("ollama"), url: address, model: name, key_from: keyFrom };
  const folder = { kind: z.literal("folder"), path };
  const gguf = { kind: z.literal("gguf"), path };
  const none = z.strictObject({ kind: z.literal("none") });

  const embedding = modelOf(
    z.discriminatedUnion("kind", [
      z.strictObject({
        ...openai,
        ...prefixes,
        /** As many numbers are asked for; without it, as many as the server gives. */
        dimensions: z.int().min(1).max(100_000).optional(),
      }),
      z.strictObject({ ...ollama, ...prefixes }),
      z.strictObject({
        ...folder,
        ...prefixes,
        /** Whether a text is the mean of its tokens, as most models were taught, or its first one. */
        pooling: z.enum(["mean", "first"]).optional(),
      }),
      z.strictObject({ ...gguf, ...prefixes }),
      none,
    ]),
    { client: "a client's model makes no vectors" },
  );

  const reranking = modelOf(
    z.discriminatedUnion("kind", [
      z.strictObject(openai),
      z.strictObject(folder),
      z.strictObject(gguf),
      none,
    ]),
    {
      ollama:
        "Ollama has no way to re-rank: use a server with '/rerank' as 'openai', or a 'folder'",
      client: "a client's model is asked for expansion only",
    },
  );

  const expansion = modelOf(
    z.discriminatedUnion("kind", [
      z.strictObject(openai),
      z.strictObject(ollama),
      z.strictObject(gguf),
      z.strictObject({ kind: z.literal("client") }),
      none,
    ]),
    { folder: "a folder holds a network that writes no text: use 'openai', 'ollama' or 'gguf'" },
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

/** The first thing that is wrong with what somebody wrote, and where. */
export function problemWithModels(
  value: unknown,
): { path: PropertyKey[]; message: string } | undefined {
  return modelsSchema().safeParse(value).error?.issues[0];
}

type Kinds = z.ZodDiscriminatedUnion<readonly z.core.$ZodTypeDiscriminable[]>;

/** Says in words what a list of kinds alone would not: why one does not fit, and where keys belong. */
function modelOf<Models extends Kinds>(models: Models, unfit: Record<string, string>) {
  const kinds = models.options.flatMap((option) => [...(option._zod.propValues?.kind ?? [])]);
  return z
    .unknown()
    .superRefine((value, context) => {
      const refuse = (at: string, message: string) =>
        context.addIssue({ code: "custom", path: [at], message });
      const given = new Map(Object.entries(Object(value)));
      const secret = [...given.keys()].find((key) => secretKeys.test(key));
      if (secret) {
        refuse(
          secret,
          "no key may stand in this file: name its environment variable in 'key_from'",
        );
      }
      const kind = String(given.get("kind"));
      if (!kinds.includes(kind)) {
        refuse("kind", unfit[kind] ?? `must be one of ${kinds.join(", ")}`);
      }
    })
    .pipe(models);
}

/** However people spell it. */
const secretKeys =
  /^(x[_-])?((api|secret|access|auth)[_-]?)?(key|token|secret|password|authorization|bearer)$/i;

function problemWithAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return "must be a whole URL, such as http://localhost:8080/v1";
  const { protocol, username, password, search, hash } = new URL(text);
  if (protocol !== "http:" && protocol !== "https:") return "must begin with http:// or https://";
  if (username || password) return "must hold no name or password: use 'key_from'";
  if (search || hash) return "must end with its path, without '?' and '#'";
  return undefined;
}
