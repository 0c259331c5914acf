import * as z from "zod";
import { type Call, QuestionsPending } from "../../../kernel/call.ts";
import { openStopSignal } from "../../../kernel/calls/stop-signal.ts";
import { Failure, failureReason } from "../../../kernel/failure.ts";
import type { TextGenerator } from "../../../kernel/models/text-generator.ts";
import type { Runtime } from "../../../kernel/runtime/runtime.ts";
import { tryParseJson } from "../../../text/formats/json-value.ts";
import { toPrintable } from "../../../text/strings/printable.ts";

/** An additional search for a query: keywords, a rephrased question or a hypothetical answer (HyDE). */
interface QueryVariant {
  type: "lex" | "vec" | "hyde";
  query: string;
}

/** Query expansion by a configured model. */
export interface QueryExpansion {
  /** A few variants, or none with a note. */
  expand(query: string, intent: string | undefined, call: Call): Promise<ExpansionResult>;
}

interface ExpansionResult {
  variants: readonly QueryVariant[];
  note?: string;
}

/** The time limit of query expansion. */
const expansionTimeoutMs = 5_000;

const maxVariants = 3;
const maxCachedQueries = 500;
const maxAnswerTokens = 400;
/** A hypothetical answer is a passage; the others are one line. */
const maxVariantLength = { lex: 200, vec: 300, hyde: 1_000 };

/** A client that leaves this many sampling requests unanswered receives no more. */
const maxUnanswered = 2;

/** Creates query expansion with a cache of the model's answers. */
export function createQueryExpansion({ models }: Pick<Runtime, "models">): QueryExpansion {
  const cache = new Map<string, readonly QueryVariant[]>();
  const unanswered = new Map<string, number>();

  /** Sends a sampling request. A declined one ends the call, so only the missing answer shows it. */
  function askClientModel(prompt: string, client: string, call: Call): ModelAnswer {
    if (!call.canAsk("model")) return noVariants("the client does not support sampling");
    const messages = [{ role: "user" as const, text: prompt }];
    const question = {
      kind: "model" as const,
      system: systemPrompt,
      messages,
      maxTokens: maxAnswerTokens,
    };
    try {
      const { expansion } = call.ask({ expansion: question });
      unanswered.delete(client);
      return { text: expansion.kind === "model" ? expansion.text : "" };
    } catch (error) {
      if (!(error instanceof QuestionsPending)) throw error;
      const open = unanswered.get(client) ?? 0;
      if (open >= maxUnanswered) {
        return noVariants("the client did not answer earlier sampling requests");
      }
      if (unanswered.size >= maxCachedQueries) unanswered.clear();
      unanswered.set(client, open + 1);
      throw error;
    }
  }

  return {
    async expand(query, intent, call) {
      const { expander } = models;
      if (!expander) return { variants: [] };
      const prompt = intent ? `${query}\n\nPurpose of the search: ${intent}` : query;
      // Answers of one client's model are not used for other clients.
      const usesClientModel = "isClientModel" in expander;
      const owner = usesClientModel ? JSON.stringify(call.actor) : expander.id;
      const key = JSON.stringify([owner, prompt]);
      const known = cache.get(key);
      if (known) return { variants: known };
      const answer = usesClientModel
        ? askClientModel(prompt, owner, call)
        : await askConfiguredModel(expander, prompt, call);
      if ("variants" in answer) return answer;
      const variants = parseVariants(answer.text, query);
      if (!variants) return noVariants("the model did not return a list of searches");
      if (cache.size >= maxCachedQueries) cache.clear();
      cache.set(key, variants);
      return { variants };
    },
  };
}

/** The text of a model, or a result without variants. */
type ModelAnswer = { text: string } | ExpansionResult;

const noVariants = (reason: string) => ({
  variants: [],
  note: `The query was not expanded: ${reason}.`,
});

async function askConfiguredModel(
  expander: TextGenerator,
  prompt: string,
  call: Call,
): Promise<ModelAnswer> {
  const stop = openStopSignal([call.signal], expansionTimeoutMs);
  try {
    return {
      text: await expander.generate(
        { system: systemPrompt, prompt, maxTokens: maxAnswerTokens },
        stop.signal,
      ),
    };
  } catch (error) {
    // Cancellation and internal errors are rethrown.
    if (call.signal.aborted || !(error instanceof Failure || stop.signal.aborted)) throw error;
    const reason = error instanceof Failure ? failureReason(error) : "the model was too slow";
    return noVariants(reason);
  } finally {
    stop.release();
  }
}

const systemPrompt = `You help to search a collection of documents. Suggest up to ${maxVariants} alternative searches for the user's query. Answer with a JSON list and nothing else, such as
[{"type": "lex", "query": "…"}, {"type": "vec", "query": "…"}, {"type": "hyde", "query": "…"}]
"lex" is a few keywords, including synonyms that documents may use; "vec" is the question in other words; "hyde" is one or two sentences as they might appear in a document that answers it. Use the language of the query.`;

/** Parses the answer of a model, which may contain thoughts, code fences and invalid items. */
export function parseVariants(text: string, query: string): QueryVariant[] | undefined {
  const list = extractJsonList(text);
  if (!list) return undefined;
  const schema = z.object({ type: z.enum(["lex", "vec", "hyde"]), query: z.string() });
  const known = new Set([query.trim().toLowerCase()]);
  const variants: QueryVariant[] = [];
  for (const candidate of list) {
    const item = schema.safeParse(candidate).data;
    if (!item || variants.length >= maxVariants) continue;
    const text = toPrintable(item.query).slice(0, maxVariantLength[item.type]).trim();
    if (!/[\p{L}\p{N}]/u.test(text) || known.has(text.toLowerCase())) continue;
    known.add(text.toLowerCase());
    variants.push({ type: item.type, query: text });
  }
  return variants;
}

/** The first valid JSON list in a text, and the longest that starts there. */
function extractJsonList(text: string): unknown[] | undefined {
  const answer = text.slice(0, maxParsedLength).replace(/<think>.*?(<\/think>|$)/s, "");
  const starts = [...answer.matchAll(/\[\s*[{\]]/g)]
    .map(({ index }) => index)
    .slice(0, maxBrackets);
  const ends = [...answer.matchAll(/\]/g)]
    .map(({ index }) => index)
    .slice(-maxBrackets)
    .reverse();
  for (const start of starts) {
    for (const end of ends) {
      const list = end > start ? tryParseJson(answer.slice(start, end + 1)) : undefined;
      if (Array.isArray(list)) return list;
    }
  }
  return undefined;
}

const maxParsedLength = 20_000;
const maxBrackets = 10;
