import { expect, test } from "vitest";
import {
  adrs,
  architectureLibrary,
} from "../../../../tests/fixtures/architecture/architecture-library.ts";

interface Answer {
  related_adrs: {
    uri: string;
    adr_id: string;
    status: string;
    alignment: string;
    strength: string;
    reason: string;
    quote?: string;
    line?: number;
    living?: string[];
  }[];
  conflicts: { adr_uri: string; conflict_description: string }[];
  suggestions: string[];
}

/** A record of the usual form. */
const record = (
  title: string,
  status: string,
  decision: string,
  context = "Things went wrong.",
): string =>
  `# ${title}\n\n## Status\n\n${status}\n\n## Context\n\n${context}\n\n## Decision\n\n${decision}\n\n## Consequences\n\nWe shall see.\n`;

/** The tool's answer to a proposal, with records by file name. */
async function aligned(records: Record<string, string>, proposal: string, more: object = {}) {
  const files = Object.entries(records).map(([name, text]) => [`${adrs}/${name}.md`, text]);
  const { tool } = architectureLibrary(Object.fromEntries(files));
  // An error text has none of these fields, so a test that reads them fails.
  return (await tool("check-adr-alignment", {
    decision_description: proposal,
    ...more,
  })) as unknown as Answer;
}

/** `001 conflicts strong`, in the order of the answer. */
const short = ({ related_adrs }: Answer): string[] =>
  related_adrs.map(({ adr_id, alignment, strength }) => `${adr_id} ${alignment} ${strength}`);

const noSharing = {
  "001-services": record(
    "1. Services",
    "Accepted",
    "Each team owns its data.\nServices never share a database.",
  ),
};

test("[architecture.align.quotes] a conflict quotes the deciding sentence with its line", async () => {
  const answer = await aligned(
    noSharing,
    "Let the order and the invoice services share one database.",
  );

  expect(answer).toMatchObject({
    related_adrs: [
      {
        uri: "architecture://adr/001-services",
        adr_id: "001",
        status: "accepted",
        alignment: "conflicts",
        strength: "strong",
        quote: "Services never share a database.",
        line: 14,
      },
    ],
    conflicts: [
      {
        adr_uri: "architecture://adr/001-services",
        conflict_description: expect.stringContaining('"Services never share a database."'),
      },
    ],
  });
  expect(answer.suggestions.join()).toContain("supersede");
});

test("[architecture.align.supports] a decision supports a proposal that agrees with it, or that rejects the same thing", async () => {
  expect(short(await aligned(noSharing, "Services must not share databases."))).toEqual([
    "001 supports strong",
  ]);
  const queue = {
    "002-queue": record("2. Queue", "Accepted", "We will use RabbitMQ for all messages."),
  };
  expect(short(await aligned(queue, "Send the messages of the shop by RabbitMQ."))).toEqual([
    "002 supports strong",
  ]);
});

test("[architecture.align.refused] an alternative that was rejected in favor of another conflicts", async () => {
  const store = {
    "003-store": record("3. Store", "Accepted", "We use PostgreSQL instead of MongoDB for orders."),
  };
  const proposal = "Keep the orders in MongoDB.";

  expect(await aligned(store, proposal)).toMatchObject({
    conflicts: [{ conflict_description: expect.stringContaining("instead of MongoDB") }],
  });
  expect(short(await aligned(store, "Keep the orders in PostgreSQL."))).toEqual([
    "003 supports strong",
  ]);
  const left = {
    "004-left": record("4. Store", "Accepted", "We migrate the orders from MongoDB to DocumentDB."),
  };
  expect(short(await aligned(left, "Use MongoDB for new orders."))).toEqual([
    "004 conflicts strong",
  ]);
});

test("[architecture.align.options] an option that was considered and not chosen conflicts", async () => {
  const madr = `# Use Kafka\n\n- Status: accepted\n\n## Context and Problem Statement\n\nHow do we send events?\n\n## Considered Options\n\n* Kafka\n* RabbitMQ\n* Plain HTTP calls\n\n## Decision Outcome\n\nChosen option: "Kafka", because it keeps the events.\n`;

  expect(await aligned({ "004-events": madr }, "Send the events by RabbitMQ.")).toMatchObject({
    related_adrs: [
      {
        alignment: "conflicts",
        strength: "strong",
        quote: expect.stringContaining("Chosen option"),
      },
    ],
  });
  expect(short(await aligned({ "004-events": madr }, "Send the events by Kafka."))).toEqual([
    "004 supports strong",
  ]);
});

test("[architecture.align.chains] a superseded decision cannot conflict; its current successor can", async () => {
  const chain = {
    "001-a": record("1. No queues", "Superseded by [2](002-b.md)", "We never use queues for mail."),
    "002-b": record(
      "2. Queues in part",
      "Superseded by [3](003-c.md)\n\nSupersedes [1](001-a.md)",
      "We use queues for mail at night.",
    ),
    "003-c": record(
      "3. Mail by the relay",
      "Accepted\n\nSupersedes [2](002-b.md)",
      "The relay sends everything. Do not use queues.",
    ),
  };
  const answer = await aligned(chain, "Use queues for mail.");

  expect(short(answer)[0]).toBe("003 conflicts strong");
  expect(answer.conflicts.map(({ adr_uri }) => adr_uri)).toEqual(["architecture://adr/003-c"]);
  expect(answer.related_adrs.filter(({ status }) => status === "superseded")).toMatchObject([
    {
      alignment: "related",
      living: ["architecture://adr/003-c"],
      reason: expect.stringContaining("Mail by the relay"),
    },
    { alignment: "related", living: ["architecture://adr/003-c"] },
  ]);
  const heir = await aligned(
    {
      ...chain,
      "003-c": record(
        "3. Everything by pigeon",
        "Accepted\n\nSupersedes [2](002-b.md)",
        "Pigeons fly.",
      ),
    },
    "Use queues for mail.",
  );
  expect(heir.related_adrs.map(({ adr_id }) => adr_id)).toContain("003");
  expect(heir.conflicts).toMatchObject([
    { conflict_description: expect.stringContaining("superseded 'Queues in part'") },
  ]);
});

test("[architecture.align.revived] proposing something that a decision replaced conflicts with that decision", async () => {
  const chain = {
    "001-a": record(
      "1. Use the number as unique id",
      "Superseded by [2](002-b.md)",
      "The number is the unique id.",
    ),
    "002-b": record(
      "2. Use the slug as unique id",
      "Accepted\n\nSupersedes [1](001-a.md)",
      "The slug is the unique id.",
    ),
  };

  expect(short(await aligned(chain, "Use the number as unique id."))).toEqual([
    "002 conflicts strong",
    "001 related strong",
  ]);
  expect(short(await aligned(chain, "Use the slug as unique id."))[0]).toBe("002 supports strong");
});

test("[architecture.align.status] only accepted decisions bind: proposed, rejected and deprecated ones are related", async () => {
  const decision = "Services never share a database.";
  for (const status of ["Proposed", "Rejected", "Deprecated", "Superseded"]) {
    const answer = await aligned(
      { "001-a": record("1. A", status, decision) },
      "Let services share one database.",
    );
    expect([status, short(answer), answer.conflicts]).toEqual([status, ["001 related strong"], []]);
  }
  const unknown = await aligned(
    { "001-a": record("1. A", "", decision) },
    "Let services share one database.",
  );
  expect(short(unknown)).toEqual(["001 conflicts weak"]);
  expect(unknown.related_adrs[0]?.reason).toContain("unknown");
  const next = {
    "001-a": record("1. A", "Accepted", decision),
    "002-b": record(
      "2. B",
      "Proposed\n\nSupersedes [1](001-a.md)",
      "Services may share a database.",
    ),
  };
  expect(short(await aligned(next, "Let services share one database."))).toContain(
    "001 conflicts strong",
  );
});

test("[architecture.align.weak] shared words are weak evidence, and an unrelated rejection is none", async () => {
  const sessions = {
    "001-a": record("1. Sessions", "Accepted", "Do not store sessions in memory."),
  };
  const answer = await aligned(sessions, "Store the sessions in Redis.");
  expect(short(answer)).toEqual(["001 conflicts weak"]);
  expect(answer.conflicts[0]?.conflict_description).toMatch(/^Perhaps: /);

  const modules = {
    "001-a": record(
      "1. Terraform module location",
      "Accepted",
      "All Terraform projects in that stack add records to the zones that expose a service.",
    ),
  };
  expect(short(await aligned(modules, "Use CloudFormation instead of Terraform."))).toEqual([
    "001 conflicts weak",
  ]);
  expect(short(await aligned(modules, "Use Terraform."))).toEqual(["001 related weak"]);

  const history = {
    "001-a": record(
      "1. Lamp",
      "Accepted",
      "We light the lamp with oil.",
      "The lamp was superseded and deprecated; avoid it, they said.",
    ),
  };
  expect(short(await aligned(history, "Light the lamp with oil."))).toEqual([
    "001 supports strong",
  ]);
});

test("[architecture.align.languages] non-English text yields only weak evidence, neither for nor against", async () => {
  const german = {
    "001-datenbank": record(
      "1. Datenbank",
      "Accepted",
      "Wir verwenden MongoDB nicht für die Bestellungen, sondern PostgreSQL.",
      "Die Bestellungen müssen sicher gespeichert werden.",
    ),
  };
  const french = {
    "001-stockage": record(
      "1. Stockage",
      "Accepted",
      "Nous n'utilisons pas MongoDB pour les commandes.",
      "Les commandes doivent être conservées.",
    ),
  };
  const spanish = {
    "001-almacen": record(
      "1. Almacén",
      "Accepted",
      "No usamos MongoDB para los pedidos.",
      "Los pedidos se guardan en una base de datos.",
    ),
  };
  const english = {
    "001-store": record("1. MongoDB", "Accepted", "We do not use MongoDB for the orders."),
  };
  for (const [records, proposal] of [
    [german, "Wir verwenden MongoDB für die Bestellungen."],
    [german, "Use MongoDB beside PostgreSQL for the orders."],
    [french, "Utiliser MongoDB pour les commandes."],
    [spanish, "Usar MongoDB para los pedidos."],
    [english, "Wir verwenden MongoDB für die Bestellungen."],
  ] as const) {
    const answer = await aligned(records, proposal);
    expect([proposal, short(answer)]).toEqual([proposal, ["001 related weak"]]);
    expect(answer.related_adrs[0]?.reason).toContain("weak evidence");
    expect(answer.conflicts).toEqual([]);
  }
  expect(short(await aligned(english, "Use MongoDB for the orders."))).toEqual([
    "001 conflicts strong",
  ]);
});

test("[architecture.align.none] a proposal without related decisions is reported as such", async () => {
  const answer = await aligned(noSharing, "Paint the lighthouse white.");

  expect(answer).toMatchObject({ related_adrs: [], conflicts: [] });
  expect(answer.suggestions).toEqual(["No recorded decision addresses this: record a new one."]);
  expect((await aligned({}, "Paint it.")).suggestions.join()).toContain("could be the first");
});

test("[architecture.align.limits] the limits are 5,000 characters, and 2,000 of context", async () => {
  const long = "Share a database. ".repeat(277).slice(0, 5_000);
  expect(await aligned(noSharing, long, { decision_context: "x".repeat(2_000) })).toMatchObject({
    suggestions: expect.any(Array),
  });
  expect(await aligned(noSharing, `${long}${"x".repeat(20)}`)).toMatch(/decision_description/);
  expect(await aligned(noSharing, "x", { decision_context: "x".repeat(2_001) })).toMatch(
    /decision_context/,
  );
});

test("[architecture.align.one-word] a decision about a single term is matched, whatever else the proposal says", async () => {
  const stores = {
    "001-stores": record(
      "1. Where data is kept",
      "Accepted",
      "We will use PostgreSQL for all services. Teams must not use MongoDB.",
    ),
    "002-events": record("2. Events", "Accepted", "Services talk by events with Kafka messaging."),
  };
  const against = ["Use MongoDB for storage", "Introduce MongoDB in the analytics pipeline"];
  for (const proposal of [...against, "Replace PostgreSQL with MongoDB", "Drop PostgreSQL"]) {
    expect([proposal, ...short(await aligned(stores, proposal))]).toContain("001 conflicts strong");
  }
  expect(short(await aligned(stores, "Switch from PostgreSQL to MySQL"))[0]).toMatch(
    /^001 conflicts/,
  );
  expect(short(await aligned(stores, "Use RabbitMQ rather than Kafka"))[0]).toMatch(
    /^002 conflicts/,
  );
  expect(short(await aligned(stores, "Paint the office green"))).toEqual([]);
});
