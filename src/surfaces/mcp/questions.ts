import { createHash, randomBytes } from "node:crypto";
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
import type { Answer, Question } from "../../kernel/call.ts";

/** What a client carries from one round of questions to the next, and cannot change. */
interface Sealed {
  /** The call that asked, so that an answer never serves another. */
  call: string;
  memory?: unknown;
  /** What was answered in earlier rounds: the operation starts anew and asks again. */
  answers: Record<string, Answer>;
}

export interface Round {
  answers: Record<string, Answer>;
  memory: unknown;
}

/** A person may take their time over a question. */
const lifetimeSeconds = 3_600;

/**
 * Questions to the person or the model behind a client. They leave as an `input_required` result
 * with everything that is to be remembered sealed in it, so no session is kept; for clients of the
 * older era the SDK asks them one by one and comes back with the answers.
 */
export function makeQuestions() {
  const seal = createRequestStateCodec<Sealed>({
    key: randomBytes(32),
    ttlSeconds: lifetimeSeconds,
  });
  return {
    verify: seal.verify,

    /** What is known when a call begins: nothing the first time, the answers when it comes back. */
    roundOf(ctx: ServerContext, params: unknown): Round {
      const sealed = ctx.mcpReq.requestState<Sealed>();
      if (sealed && sealed.call !== fingerprint(ctx, params)) {
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          "Invalid or expired requestState",
          {
            reason: "invalid_request_state",
          },
        );
      }
      const fresh = Object.entries(ctx.mcpReq.inputResponses ?? {}).flatMap(([key, response]) => {
        const answer = toAnswer(response);
        return answer ? [[key, answer] as const] : [];
      });
      return {
        answers: { ...sealed?.answers, ...Object.fromEntries(fresh) },
        memory: sealed?.memory,
      };
    },

    async ask(
      asked: { questions: Record<string, Question>; memory: unknown },
      round: Round,
      ctx: ServerContext,
      params: unknown,
    ): Promise<InputRequiredResult> {
      const open = Object.entries(asked.questions).filter(([key]) => !round.answers[key]);
      return inputRequired({
        inputRequests: Object.fromEntries(open.map(([key, q]) => [key, toRequest(q)])),
        requestState: await seal.mint({
          call: fingerprint(ctx, params),
          memory: asked.memory,
          answers: round.answers,
        }),
      });
    },
  };
}

export type Questions = ReturnType<typeof makeQuestions>;

function toRequest(question: Question): InputRequest {
  switch (question.kind) {
    case "form":
      return {
        method: "elicitation/create",
        params: {
          mode: "form",
          message: question.message,
          // An operation writes the schema of a form as plain data; the client is the one to judge it.
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

/** One of a client's answers; nothing where it has no shape that we know, so that we ask again. */
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

/** The same call has the same fingerprint, in whatever order its members stand. */
function fingerprint(ctx: ServerContext, params: unknown): string {
  const ordered = JSON.stringify([ctx.mcpReq.method, params], (_key, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return createHash("sha256").update(ordered).digest("base64url");
}
