/** What the first bytes of a connection say about its sender. */
export type Beginning = "messages" | "foreign" | "undecided";

/** Enough for any method and the space behind it. */
const enough = 64;

/**
 * Tells a browser or another HTTP client, or one that wants to encrypt, from one that sends
 * messages. A web page can make a browser send a body of its choice to any local port; were the
 * lines of such a request served one by one, the body would be a message that runs.
 *
 *     POST /mcp HTTP/1.1     foreign, from the slash on
 *     POST                   undecided
 *     {"jsonrpc"             messages, from the brace on
 */
export function judgeBeginning(bytes: Uint8Array): Beginning {
  if (isEncrypted(bytes)) return "foreign";
  const text = Buffer.from(bytes.subarray(0, enough)).toString("latin1").trimStart();
  if (/^(connect |[a-z]+ +([/*]|https?:))/i.test(text)) return "foreign";
  const mayBecomeRequest =
    /^([a-z]+ *|[a-z]+ +h(t(t(ps?)?)?)?)?$/i.test(text) || isHalfHello(bytes);
  return mayBecomeRequest && bytes.length < enough ? "undecided" : "messages";
}

/** TLS opens with a handshake record of version 3. */
const isEncrypted = (bytes: Uint8Array): boolean => bytes[0] === 0x16 && bytes[1] === 0x03;

const isHalfHello = (bytes: Uint8Array): boolean => bytes[0] === 0x16 && bytes.length === 1;
