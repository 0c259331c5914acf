import * as z from "zod";
import type { LocalModel } from "./local/job.ts";
import type { ModelRunner } from "./local/model-runner.ts";
import type { ExpansionSettings } from "./model-settings.ts";
import type { Endpoint } from "./remote/endpoint.ts";
import { badResponse } from "./remote/endpoint-errors.ts";

/** A language model that generates short texts. */
export interface TextGenerator {
  readonly id: string;
  /** Why the model cannot be used, if so. Reading it does not load the model. */
  readonly problem: string | undefined;
  generate(task: GenerationTask, signal?: AbortSignal): Promise<string>;
}

interface GenerationTask {
  system: string;
  prompt: string;
  maxTokens: number;
}

/** The MCP client's own model, used through sampling if the client supports it. */
export interface ClientGenerator {
  readonly id: string;
  readonly isClientModel: true;
}

export const clientGenerator: ClientGenerator = {
  id: "the client's own model",
  isClientModel: true,
};

/** A model on the local disk. */
export const openLocalGenerator = (
  runtime: ModelRunner,
  { id, model }: { id: string; model: LocalModel },
): TextGenerator => ({
  id,
  get problem() {
    return runtime.problemWith(model)?.explanation;
  },
  generate: (task, signal) =>
    runtime.run(model, { task: "write", ...task }, { isUrgent: true, signal }),
});

/** A server with a chat API like OpenAI's or Ollama's. */
export function openRemoteGenerator(
  { kind, model }: Extract<ExpansionSettings, { url: string }>,
  endpoint: Endpoint,
): TextGenerator {
  return {
    id: `${model} at ${endpoint.host}`,
    get problem() {
      return endpoint.problem?.explanation;
    },
    generate({ system, prompt, maxTokens }, signal) {
      const messages = [
        { role: "system", content: system },
        { role: "user", content: prompt },
      ];
      const requestOptions = { canWait: false, signal };
      // Servers name the token limit differently and reject unknown parameters, so it is omitted.
      if (kind === "openai") {
        return endpoint.post("/chat/completions", { model, messages }, openaiText, requestOptions);
      }
      const options = { num_predict: maxTokens, temperature: 0 };
      return endpoint.post(
        "/api/chat",
        { model, messages, stream: false, options },
        ollamaText,
        requestOptions,
      );
    },
  };
}

const messageSchema = () => z.object({ content: z.string() });

function openaiText(answer: unknown): string {
  const schema = z.object({ choices: z.array(z.object({ message: messageSchema() })) });
  return messageContent(schema.safeParse(answer).data?.choices[0]?.message);
}

function ollamaText(answer: unknown): string {
  const schema = z.object({ message: messageSchema() });
  return messageContent(schema.safeParse(answer).data?.message);
}

function messageContent(message: { content: string } | undefined): string {
  if (!message) throw badResponse("no text");
  return message.content;
}
