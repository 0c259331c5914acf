/**
 * Carries the connection of a request to where it is served, so that requests without a session are
 * told apart. It is set on every request that comes in, so no caller has a say in it.
 */
export const peerHeader = "lectern-peer";
