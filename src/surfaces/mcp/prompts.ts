import type { CompleteResult, GetPromptResult, PromptMessage } from "@modelcontextprotocol/server";
import type { Completion } from "../../kernel/operations/resource.ts";
import type { CompletionRequest } from "../../kernel/runtime/app.ts";
import { toContentBlocks } from "./answers/content.ts";
import { paginate } from "./answers/pagination.ts";
import { type ConnectionContext, callForClient, runWithProgress } from "./connection-context.ts";

export function servePrompts(connection: ConnectionContext): void {
  const { app, server } = connection;

  server.setRequestHandler("prompts/list", async ({ params }) => {
    const { items, nextCursor } = paginate("prompts", await app.listPrompts(), params?.cursor);
    return { prompts: items, ...(nextCursor !== undefined && { nextCursor }) };
  });

  server.setRequestHandler("prompts/get", ({ params }, ctx) => {
    const { name, arguments: values = {} } = params;
    return callForClient(
      connection,
      ctx,
      { name, values },
      (options) => app.renderPrompt(name, values, options),
      (outcome): GetPromptResult => {
        if (!outcome.ok) throw outcome.failure;
        const { description, messages } = outcome.value;
        return {
          description,
          messages: messages.flatMap(({ role, content }): PromptMessage[] =>
            toContentBlocks([content], connection.version()).map((block) => ({
              role,
              content: block,
            })),
          ),
        };
      },
    );
  });
}

/** The limit of the protocol. */
const maxCompletionValues = 100;

export function serveCompletions(connection: ConnectionContext): void {
  const { app, server } = connection;

  server.setRequestHandler("completion/complete", async ({ params }, ctx) => {
    const { ref, argument, context } = params;
    const request: CompletionRequest = {
      ...(ref.type === "ref/prompt" ? { prompt: ref.name } : { template: ref.uri }),
      argument: argument.name,
      typed: argument.value,
      given: context?.arguments ?? {},
    };
    const outcome = await runWithProgress(connection, ctx, (options) =>
      app.complete(request, options),
    );
    if (!outcome.ok) throw outcome.failure ?? new Error("A completion must not ask questions.");
    return toCompletion(outcome.value);
  });
}

/** The protocol has only string values; labels and descriptions are added in `_meta`. */
function toCompletion(completions: readonly Completion[]): CompleteResult {
  const shown = completions.slice(0, maxCompletionValues);
  const labelled = shown.some(({ label, description }) => label ?? description);
  return {
    completion: {
      values: shown.map(({ value }) => value),
      total: completions.length,
      hasMore: completions.length > shown.length,
    },
    ...(labelled && { _meta: { "lectern/completionItems": shown } }),
  };
}
