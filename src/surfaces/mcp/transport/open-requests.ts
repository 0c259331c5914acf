import {
  type JSONRPCMessage,
  type RequestId,
  SUBSCRIPTION_ID_META_KEY,
} from "@modelcontextprotocol/server";

/** Tracks the requests without a response, from the messages received and sent. */
export interface OpenRequests {
  readonly size: number;
  onReceived(message: JSONRPCMessage): void;
  onSent(message: JSONRPCMessage): void;
}

/**
 * A client may use one id for two concurrent requests, so ids are counted. A cancelled request is not
 * answered, and a subscription is answered only when the server closes, so neither counts as open.
 */
export function trackOpenRequests(): OpenRequests {
  const counts = new Map<RequestId, number>();
  let size = 0;

  const open = (id: RequestId): void => {
    counts.set(id, (counts.get(id) ?? 0) + 1);
    size += 1;
  };

  const settle = (id: unknown): void => {
    if (typeof id !== "string" && typeof id !== "number") return;
    const count = counts.get(id);
    if (count === undefined) return;
    if (count === 1) counts.delete(id);
    else counts.set(id, count - 1);
    size -= 1;
  };

  return {
    get size() {
      return size;
    },
    onReceived(message) {
      if (!("method" in message)) return;
      if ("id" in message) open(message.id);
      else if (message.method === "notifications/cancelled") settle(message.params?.requestId);
    },
    onSent(message) {
      if (!("method" in message)) settle(message.id);
      else if (message.method === "notifications/subscriptions/acknowledged")
        settle(message.params?._meta?.[SUBSCRIPTION_ID_META_KEY]);
    },
  };
}
