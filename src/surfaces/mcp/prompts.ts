import type { CompleteResult, GetPromptResult, PromptMessage } from "@modelcontextprotocol/server";
import type { CompletionRequest } from "../../kernel/library.ts";
import type { Completion } from "../../kernel/resource.ts";
import { toContent } from "./content.ts";
import { type Desk, exchange, tell } from "./exchange.ts";
import { page } from "./pagination.ts";

export function servePrompts(desk: Desk): void {
  const { library, server } = desk;

  server.setRequestHandler("prompts/list", async ({ params }) => {
    const { items, nextCursor } = page("prompts", await library.listPrompts(), params?.cursor);
    return { prompts: items, ...(nextCursor !== undefined && { nextCursor }) };
  });

  server.setRequestHandler("prompts/get", ({ params }, ctx) => {
    const { name, arguments: values = {} } = params;
    return exchange(
      desk,
      ctx,
      { name, values },
      (options) => library.renderPrompt(name, values, options),
      (outcome): GetPromptResult => {
        if (!outcome.ok) throw outcome.failure;
        const { description, messages } = outcome.value;
        return {
          description,
          messages: messages.flatMap(({ role, content }): PromptMessage[] =>
            toContent([content], desk.version()).map((block) => ({ role, content: block })),
          ),
        };
      },
    );
  });
}

/** The protocol's own bound. */
const mostValues = 100;

export function serveCompletions(desk: Desk): void {
  const { library, server } = desk;

  server.setRequestHandler("completion/complete", async ({ params }, ctx) => {
    const { ref, argument, context } = params;
    const request: CompletionRequest = {
      ...(ref.type === "ref/prompt" ? { prompt: ref.name } : { template: ref.uri }),
      argument: argument.name,
      typed: argument.value,
      given: context?.arguments ?? {},
    };
    const outcome = await tell(desk, ctx, (options) => library.complete(request, options));
    if (!outcome.ok) throw outcome.failure ?? new Error("A completion cannot ask.");
    return toCompletion(outcome.value);
  });
}

/** Values are strings; labels and descriptions travel beside them for clients that want them. */
function toCompletion(found: readonly Completion[]): CompleteResult {
  const shown = found.slice(0, mostValues);
  const labelled = shown.some(({ label, description }) => label ?? description);
  return {
    completion: {
      values: shown.map(({ value }) => value),
      total: found.length,
      hasMore: found.length > shown.length,
    },
    ...(labelled && { _meta: { "lectern/completionItems": shown } }),
  };
}
