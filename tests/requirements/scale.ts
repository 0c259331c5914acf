/** Requirements for homes on PostgreSQL. */
export const scale = {
  "scale.address.hosts": "an address names several hosts, each with its port",
  "scale.address.invalid": "an invalid address is refused without repeating it",
  "scale.address.parameters": "an address sets the schema, TLS and the hosts that answer reads",
  "scale.address.password": "no description and no message contains the password",
  "scale.address.recognised": "only a PostgreSQL address is taken for one",
  "scale.address.tls":
    "another machine is reached with verified TLS unless the address says otherwise",
  "scale.client.aborted": "a statement whose caller has left is not run",
  "scale.client.cancel": "an aborted statement is cancelled at the server",
  "scale.client.conflicts": "concurrent transactions are repeated until each is stored",
  "scale.client.deadline": "a statement that exceeds its deadline fails, and the next one runs",
  "scale.client.extensions": "vectors and BM25 are available without naming the extension's schema",
  "scale.client.failed": "a transaction that ignores an error is not taken for stored",
  "scale.client.full": "a caller that gets no connection in time is told so",
  "scale.client.hanging": "a server that no longer answers is given up at the deadline",
  "scale.client.no-data": "errors contain no parameter and no text of a statement",
  "scale.client.read-only": "a read-only transaction cannot write",
  "scale.client.reconnect": "a repeatable statement survives a lost connection",
  "scale.client.transaction": "a transaction is stored as a whole or not at all",
  "scale.client.trips": "statements that are started together cost one round trip",
  "scale.client.values": "each type of value is returned as it was stored",
  "scale.steps.errors": "the error of a statement can be caught where it was yielded",
  "scale.steps.lists":
    "conditions for lists, optional parameters and byte order are the same in every store",
  "scale.steps.transactions":
    "a failed transaction leaves nothing, and a nested one can fail alone",
  "scale.steps.values": "numbers, text, bytes and null have the same values in every store",
  "scale.steps.writers": "concurrent transactions run one after the other",
};
