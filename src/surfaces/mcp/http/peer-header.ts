/**
 * Internal headers with the connection and the sender of a request. They are overwritten on every
 * incoming request, so clients cannot forge them.
 */
export const peerHeader = "lectern-peer";
export const senderHeader = "lectern-sender";
