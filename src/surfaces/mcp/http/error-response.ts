import { ProtocolErrorCode } from "@modelcontextprotocol/server";

type Code = ProtocolErrorCode.ParseError | ProtocolErrorCode.InvalidRequest;

/** An error before a server is involved, as HTTP status and JSON-RPC error. */
export function jsonRpcErrorResponse(
  status: number,
  message: string,
  options: RefusalOptions = {},
): Response {
  const { code = ProtocolErrorCode.InvalidRequest, id = null, allow } = options;
  return Response.json(
    { jsonrpc: "2.0", id, error: { code, message } },
    { status, ...(allow !== undefined && { headers: { Allow: allow } }) },
  );
}

interface RefusalOptions {
  code?: Code;
  /** The id of the request, if it could be read. */
  id?: string | number | null;
  allow?: string;
}

/** The id for a response to this body; null if it is not a single request. */
export function requestIdOf(body: unknown): string | number | null {
  if (typeof body !== "object" || body === null || !("id" in body)) return null;
  return typeof body.id === "string" || typeof body.id === "number" ? body.id : null;
}

/** The SDK's older transport uses error codes that protocol 2026 reserves for other errors. */
export async function withoutReservedCode(response: Response): Promise<Response> {
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  if (response.ok || !isJson) return response;
  const body = (await response.text()).replace(
    /"code":-320[01]\d(?=\D)/,
    `"code":${ProtocolErrorCode.InvalidRequest}`,
  );
  const { status, headers } = response;
  return new Response(body, { status, headers });
}
