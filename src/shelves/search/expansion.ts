import * as z from "zod";
import { Asking, type Call } from "../../kernel/call.ts";
import { Failure, reasonOf } from "../../kernel/failure.ts";
import type { House } from "../../kernel/house.ts";
import type { Writer } from "../../kernel/models/writer.ts";
import { openStop } from "../../kernel/stop-signal.ts";
import { parsedJson } from "../../text/json-value.ts";
import { visible } from "../../text/visible.ts";

/** Another way to look for what somebody asked: other words, another question, an imagined answer. */
interface Variant {
  type: "lex" | "vec" | "hyde";
  query: string;
}

/** Other ways to ask, which a configured model thinks of. */
export interface Expansion {
  /** A few, or none with a note that says why. */
  variantsOf(query: string, intent: string | undefined, call: Call): Promise<Expanded>;
}

interface Expanded {
  variants: readonly Variant[];
  note?: string;
}

/** Nobody waits longer than this for other words. */
const expandMs = 5_000;

const mostVariants = 3;
const mostKept = 500;
const mostTokens = 400;
/** An imagined answer is a passage; the others are a line. */
const mostLetters = { lex: 200, vec: 300, hyde: 1_000 };

/** After so many questions that a client left unanswered, it is asked no more. */
const mostUnanswered = 2;

/** What a model said of a query is remembered, so that asking again costs nothing. */
export function openExpansion({ models }: Pick<House, "models">): Expansion {
  const kept = new Map<string, readonly Variant[]>();
  const unanswered = new Map<string, number>();

  /** Somebody who declines ends the call, so that nothing but the missing answer tells of it. */
  function clientsAnswer(prompt: string, client: string, call: Call): Answer {
    if (!call.canAsk("model")) return withoutVariants("the client offers no model");
    const messages = [{ role: "user" as const, text: prompt }];
    const question = { kind: "model" as const, system, messages, maxTokens: mostTokens };
    try {
      const { expansion } = call.ask({ expansion: question });
      unanswered.delete(client);
      return { text: expansion.kind === "model" ? expansion.text : "" };
    } catch (error) {
      if (!(error instanceof Asking)) throw error;
      const open = unanswered.get(client) ?? 0;
      if (open >= mostUnanswered) {
        return withoutVariants("the client left earlier questions unanswered");
      }
      if (unanswered.size >= mostKept) unanswered.clear();
      unanswered.set(client, open + 1);
      throw error;
    }
  }

  return {
    async variantsOf(query, intent, call) {
      const { expander } = models;
      if (!expander) return { variants: [] };
      const prompt = intent ? `${query}\n\nWhat the answer is for: ${intent}` : query;
      // What one client's model thinks is not for another's queries.
      const isClients = "isClients" in expander;
      const owner = isClients ? JSON.stringify(call.actor) : expander.id;
      const key = JSON.stringify([owner, prompt]);
      const known = kept.get(key);
      if (known) return { variants: known };
      const answer = isClients
        ? clientsAnswer(prompt, owner, call)
        : await writtenAnswer(expander, prompt, call);
      if ("variants" in answer) return answer;
      const variants = variantsIn(answer.text, query);
      if (!variants) return withoutVariants("the model gave no list of searches");
      if (kept.size >= mostKept) kept.clear();
      kept.set(key, variants);
      return { variants };
    },
  };
}

/** What a model wrote, or that there is nothing. */
type Answer = { text: string } | Expanded;

const withoutVariants = (reason: string) => ({
  variants: [],
  note: `The query was not expanded: ${reason}.`,
});

async function writtenAnswer(expander: Writer, prompt: string, call: Call): Promise<Answer> {
  const stop = openStop([call.signal], expandMs);
  try {
    return { text: await expander.write({ system, prompt, mostTokens }, stop.signal) };
  } catch (error) {
    // Whoever gave up needs no answer, and a fault of ours must show.
    if (call.signal.aborted || !(error instanceof Failure || stop.signal.aborted)) throw error;
    const reason = error instanceof Failure ? reasonOf(error) : "the model was too slow";
    const nothing = withoutVariants(reason);
    call.log("warn", nothing.note);
    return nothing;
  } finally {
    stop.release();
  }
}

const system = `You help to search a collection of documents. For the user's query, think of up to ${mostVariants} other searches that would find the same thing. Answer with a JSON list and nothing else, such as
[{"type": "lex", "query": "…"}, {"type": "vec", "query": "…"}, {"type": "hyde", "query": "…"}]
"lex" is a few keywords, with synonyms that documents may use; "vec" is the question in other words; "hyde" is a sentence or two as they could stand in the document that answers it. Keep the language of the query.`;

/** What can be used of what a model wrote: it may think aloud, add fences, and list nonsense. */
export function variantsIn(text: string, query: string): Variant[] | undefined {
  const list = listIn(text);
  if (!list) return undefined;
  const schema = z.object({ type: z.enum(["lex", "vec", "hyde"]), query: z.string() });
  const known = new Set([query.trim().toLowerCase()]);
  const variants: Variant[] = [];
  for (const given of list) {
    const item = schema.safeParse(given).data;
    if (!item || variants.length >= mostVariants) continue;
    const words = visible(item.query).slice(0, mostLetters[item.type]).trim();
    if (!/[\p{L}\p{N}]/u.test(words) || known.has(words.toLowerCase())) continue;
    known.add(words.toLowerCase());
    variants.push({ type: item.type, query: words });
  }
  return variants;
}

/** The longest list that can be read, whatever stands around it; brackets stand in prose too. */
function listIn(text: string): unknown[] | undefined {
  const words = text.slice(0, mostRead).replace(/<think>.*?(<\/think>|$)/s, "");
  const starts = [...words.matchAll(/\[\s*[{\]]/g)]
    .map(({ index }) => index)
    .slice(0, mostBrackets);
  const ends = [...words.matchAll(/\]/g)]
    .map(({ index }) => index)
    .slice(-mostBrackets)
    .reverse();
  for (const start of starts) {
    for (const end of ends) {
      const list = end > start ? parsedJson(words.slice(start, end + 1)) : undefined;
      if (Array.isArray(list)) return list;
    }
  }
  return undefined;
}

const mostRead = 20_000;
const mostBrackets = 10;
