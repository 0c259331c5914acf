import * as z from "zod";
import type { ExpansionSettings } from "./configured.ts";
import type { Endpoint } from "./endpoint.ts";
import { badAnswer } from "./endpoint-trouble.ts";
import type { LocalModel } from "./job.ts";
import type { ModelRuntime } from "./runtime.ts";

/** A model that writes a few lines. */
export interface Writer {
  readonly id: string;
  /** Why there is no model, or nothing; it may be asked at any time, and loads nothing. */
  readonly problem: string | undefined;
  write(task: WritingTask, signal?: AbortSignal): Promise<string>;
}

interface WritingTask {
  system: string;
  prompt: string;
  mostTokens: number;
}

/** The model behind whoever calls: it is asked through the call, where the client allows that. */
export interface ClientsWriter {
  readonly id: string;
  readonly isClients: true;
}

export const clientsWriter: ClientsWriter = { id: "the client's own model", isClients: true };

/** A model on this machine's disk. */
export const openLocalWriter = (
  runtime: ModelRuntime,
  { id, model }: { id: string; model: LocalModel },
): Writer => ({
  id,
  get problem() {
    return runtime.problemWith(model)?.explanation;
  },
  write: (task, signal) =>
    runtime.run(model, { task: "write", ...task }, { isUrgent: true, signal }),
});

/** A server that chats, as OpenAI's or Ollama's does. */
export function openRemoteWriter(
  { kind, model }: Extract<ExpansionSettings, { url: string }>,
  endpoint: Endpoint,
): Writer {
  return {
    id: `${model} at ${endpoint.host}`,
    get problem() {
      return endpoint.problem?.explanation;
    },
    write({ system, prompt, mostTokens }, signal) {
      const messages = [
        { role: "system", content: system },
        { role: "user", content: prompt },
      ];
      const how = { isPatient: false, signal };
      // How a limit is called differs from server to server, and one that is unknown is refused.
      if (kind === "openai") {
        return endpoint.post("/chat/completions", { model, messages }, openaiText, how);
      }
      const options = { num_predict: mostTokens, temperature: 0 };
      return endpoint.post(
        "/api/chat",
        { model, messages, stream: false, options },
        ollamaText,
        how,
      );
    },
  };
}

const messageSchema = () => z.object({ content: z.string() });

function openaiText(answer: unknown): string {
  const schema = z.object({ choices: z.array(z.object({ message: messageSchema() })) });
  return written(schema.safeParse(answer).data?.choices[0]?.message);
}

function ollamaText(answer: unknown): string {
  const schema = z.object({ message: messageSchema() });
  return written(schema.safeParse(answer).data?.message);
}

function written(message: { content: string } | undefined): string {
  if (!message) throw badAnswer("no text");
  return message.content;
}
