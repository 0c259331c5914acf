import { ProtocolErrorCode } from "@modelcontextprotocol/server";

type Code = ProtocolErrorCode.ParseError | ProtocolErrorCode.InvalidRequest;

/** A request that no server was asked about, answered so that both HTTP and JSON-RPC understand. */
export function refuse(status: number, message: string, options: RefusalOptions = {}): Response {
  const { code = ProtocolErrorCode.InvalidRequest, id = null, allow } = options;
  return Response.json(
    { jsonrpc: "2.0", id, error: { code, message } },
    { status, ...(allow !== undefined && { headers: { Allow: allow } }) },
  );
}

interface RefusalOptions {
  code?: Code;
  /** The id of the request, where it could be read. */
  id?: string | number | null;
  allow?: string;
}

/** The id that an answer to this body carries: null where it is no single request. */
export function idOf(body: unknown): string | number | null {
  if (typeof body !== "object" || body === null || !("id" in body)) return null;
  return typeof body.id === "string" || typeof body.id === "number" ? body.id : null;
}

/** The SDK's older transport still refuses with codes that are kept for others since 2026. */
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
