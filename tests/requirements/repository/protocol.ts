/** Requirements from the founding document for the repository server's protocol. */
export const repositoryProtocol = {
  "repository.protocol.cancel": "a cancelled call is not answered, and the next one is",
  "repository.protocol.deadline":
    "at the time limit from the environment the partial result is returned",
  "repository.protocol.debug":
    "DEBUG traces the named topics to stderr, and stdout has only protocol messages",
  "repository.protocol.echo": "the documented piped lines are answered, and the server exits",
  "repository.protocol.error-codes":
    "each kind of error has the documented code, and the next line is processed",
  "repository.protocol.handshake": "the handshake is answered as documented",
  "repository.protocol.invalid-params": "invalid parameters are refused by name",
  "repository.protocol.logging": "events are sent as log messages, at the level the client set",
  "repository.protocol.no-network": "no tool uses the network unless requested",
  "repository.protocol.progress":
    "long calls send progress in the protocol's form to clients with a progress token",
  "repository.protocol.size": "large answers are paged and linked, and never exceed 10 MB",
  "repository.protocol.tool-error":
    "a failed tool returns an error result with the documented text",
  "repository.protocol.tools-list": "analyze_repository is listed as documented",
  "repository.protocol.traversal":
    "every tool that takes a path refuses one outside the force root",
};
