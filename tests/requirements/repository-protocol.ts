/** What the founding document promises of the repository server's protocol. */
export const repositoryProtocol = {
  "repository.protocol.cancel": "a call that is cancelled is not answered, and the next one is",
  "repository.protocol.deadline":
    "at the time limit of the environment the part that is done is given",
  "repository.protocol.debug":
    "DEBUG traces to stderr what it names, and stdout stays the protocol's",
  "repository.protocol.echo":
    "the lines that readers are told to pipe are answered, and the server ends",
  "repository.protocol.error-codes":
    "each kind of mistake has its printed code, and the next line is served",
  "repository.protocol.handshake": "the handshake is answered as it is printed",
  "repository.protocol.invalid-params": "bad parameters are refused by their name",
  "repository.protocol.logging":
    "what happens is told by log messages, as loud as the client wants",
  "repository.protocol.no-network": "no tool goes to the network unless it is asked to",
  "repository.protocol.progress":
    "long work tells how far it is, in the protocol's shape, to who gave a token",
  "repository.protocol.size": "large answers are paged and linked, never larger than 10 MB",
  "repository.protocol.tool-error": "what a tool cannot do is its result, in the printed words",
  "repository.protocol.tools-list": "analyze_repository is listed as it is printed",
  "repository.protocol.traversal":
    "a path that leads out of the force root is refused by every tool that takes one",
};
