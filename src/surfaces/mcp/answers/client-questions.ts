import { randomBytes } from "node:crypto";
import {
  createRequestStateCodec,
  type InputRequest,
  type InputRequiredResult,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import type { Answer, Question } from "../../../kernel/call.ts";
import { createSha256 } from "../../../kernel/files/hashes.ts";

/** The state that a client returns with its answers. It is sealed, so the client cannot change it. */
interface SealedState {
  /** The fingerprint of the call, so that answers are not used for another call. */
  call: string;
  memory?: unknown;
  /** The answers of earlier rounds: each round runs the operation from the start. */
  answers: Record<string, Answer>;
}

export interface QuestionRound {
  answers: Record<string, Answer>;
  memory: unknown;
}

/** How long a question may stay unanswered. */
const lifetimeSeconds = 3_600;

/**
 * Questions to the user or the model of a client (elicitation and sampling). They are returned as an
 * `input_required` result that contains the sealed state, so the server keeps none. For clients
 * before protocol 2026, the SDK sends each question as a request and then repeats the call.
 */
export function createClientQuestions() {
  const seal = createRequestStateCodec<SealedState>({
    key: randomBytes(32),
    ttlSeconds: lifetimeSeconds,
  });
  return {
    verify: seal.verify,

    /** The answers so far: none in the first round. */
    roundOf(ctx: ServerContext, params: unknown): QuestionRound {
      const sealed = ctx.mcpReq.requestState<SealedState>();
      if (sealed && sealed.call !== fingerprint(ctx, params)) {
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          "Invalid or expired requestState",
          {
            reason: "invalid_request_state",
          },
        );
      }
      const newAnswers = Object.entries(ctx.mcpReq.inputResponses ?? {}).flatMap(
        ([key, response]) => {
          const answer = toAnswer(response);
          return answer ? [[key, answer] as const] : [];
        },
      );
      return {
        answers: { ...sealed?.answers, ...Object.fromEntries(newAnswers) },
        memory: sealed?.memory,
      };
    },

    async ask(
      outcome: { questions: Record<string, Question>; memory: unknown },
      round: QuestionRound,
      ctx: ServerContext,
      params: unknown,
    ): Promise<InputRequiredResult> {
      const open = Object.entries(outcome.questions).filter(([key]) => !round.answers[key]);
      return inputRequired({
        inputRequests: Object.fromEntries(open.map(([key, q]) => [key, toRequest(q)])),
        requestState: await seal.mint({
          call: fingerprint(ctx, params),
          memory: outcome.memory,
          answers: round.answers,
        }),
      });
    },
  };
}

export type ClientQuestions = ReturnType<typeof createClientQuestions>;

function toRequest(question: Question): InputRequest {
  switch (question.kind) {
    case "form":
      return {
        method: "elicitation/create",
        params: {
          mode: "form",
          message: question.message,
          // Operations declare the schema of a form as plain data; the client validates it.
          requestedSchema: question.schema as never,
        },
      };
    case "model":
      return inputRequired.createMessage({
        messages: question.messages.map(({ role, text }) => ({
          role,
          content: { type: "text", text },
        })),
        maxTokens: question.maxTokens,
        ...(question.system !== undefined && { systemPrompt: question.system }),
      });
    case "roots":
      return inputRequired.listRoots();
  }
}

/** Parses an answer; undefined if it is malformed, which repeats the question. */
function toAnswer(response: unknown): Answer | undefined {
  const form = formAnswer.safeParse(response).data;
  if (form) return { kind: "form", action: form.action, content: form.content ?? {} };
  const model = modelAnswer.safeParse(response).data;
  if (model)
    return { kind: "model", text: model.content.map((block) => block.text ?? "").join("") };
  const roots = rootsAnswer.safeParse(response).data;
  if (!roots) return undefined;
  return {
    kind: "roots",
    roots: roots.roots.map(({ uri, name }) => ({ uri, ...(name !== undefined && { name }) })),
  };
}

const formAnswer = z.object({
  action: z.enum(["accept", "decline", "cancel"]),
  content: z.record(z.string(), z.unknown()).optional(),
});

const modelBlock = z.object({ type: z.string(), text: z.string().optional() });
const modelAnswer = z.object({
  role: z.string(),
  content: z.union([z.array(modelBlock), modelBlock.transform((block) => [block])]),
});

const rootsAnswer = z.object({
  roots: z.array(z.object({ uri: z.string(), name: z.string().optional() })),
});

/** A hash of the method and parameters, independent of the order of keys. */
function fingerprint(ctx: ServerContext, params: unknown): string {
  const ordered = JSON.stringify([ctx.mcpReq.method, params], (_key, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return createSha256().update(ordered).digest("base64url");
}
