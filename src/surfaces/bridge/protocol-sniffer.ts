/** The protocol of a connection by its first bytes. */
export type DetectedProtocol = "messages" | "foreign" | "undecided";

/** Enough for any HTTP method and the start of the target. */
const maxSniffedBytes = 64;

/**
 * Distinguishes HTTP and TLS from JSON-RPC messages. A web page can make a browser POST any body to
 * a local port (cross-protocol request forgery). If the lines of such a request were read one by
 * one, a message in its body would be executed.
 *
 *     POST /mcp HTTP/1.1     foreign, decided at the slash
 *     POST                   undecided
 *     {"jsonrpc"             messages, decided at the brace
 */
export function detectProtocol(bytes: Uint8Array): DetectedProtocol {
  if (isTlsHandshake(bytes)) return "foreign";
  const text = Buffer.from(bytes.subarray(0, maxSniffedBytes)).toString("latin1").trimStart();
  if (/^(connect |[a-z]+ +([/*]|https?:))/i.test(text)) return "foreign";
  const mayBecomeRequest =
    /^([a-z]+ *|[a-z]+ +h(t(t(ps?)?)?)?)?$/i.test(text) || isPartialTlsHandshake(bytes);
  return mayBecomeRequest && bytes.length < maxSniffedBytes ? "undecided" : "messages";
}

/** TLS starts with a handshake record of major version 3. */
const isTlsHandshake = (bytes: Uint8Array): boolean => bytes[0] === 0x16 && bytes[1] === 0x03;

const isPartialTlsHandshake = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x16 && bytes.length === 1;
