import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Failure, FailureKind } from "../../kernel/failure.ts";

/** The numbers that only this surface knows. */
export const statusOf: Record<FailureKind, ContentfulStatusCode> = {
  invalid: 400,
  forbidden: 403,
  "not-found": 404,
  conflict: 409,
  "too-large": 413,
  unavailable: 503,
  internal: 500,
};

/**
 * Says no in the words of the place: `/mcp` is a JSON-RPC endpoint, and a refusal there is an
 * error without an id, because no message was read; a tool's route speaks as tools do; everywhere
 * else it is `{detail, status_code}`.
 */
export function refuse(
  c: Context,
  status: ContentfulStatusCode,
  detail: string,
  headers: Record<string, string> = {},
): Response {
  const { path } = c.req;
  if (path === "/mcp") {
    const code = status >= 500 ? -32603 : -32600;
    return c.json({ jsonrpc: "2.0", error: { code, message: detail } }, status, headers);
  }
  if (path.startsWith("/tools/")) {
    const code = refusalCodes[status] ?? "INVALID_REQUEST";
    return c.json({ success: false, error: detail, error_code: code }, status, headers);
  }
  return c.json({ detail, status_code: status }, status, headers);
}

/** What the tool routes call a refusal that came before any tool. */
const refusalCodes: Partial<Record<ContentfulStatusCode, string>> = {
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  405: "METHOD_NOT_ALLOWED",
  413: "TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
  429: "TOO_MANY_REQUESTS",
  500: "INTERNAL_ERROR",
};

export const refuseFailure = (c: Context, failure: Failure): Response =>
  refuse(c, statusOf[failure.kind], failure.explanation);
