import * as z from "zod";
import { clientKeyVariable } from "../../../../kernel/calls/client-key.ts";
import { operationsFor } from "../../../../kernel/operation.ts";
import { textBlock } from "../../../../kernel/operations/output-block.ts";
import { distrustClientOperation } from "../../governance/policy.ts";
import type { QualitativeState } from "../../state.ts";

const operation = operationsFor<QualitativeState>();

const clientInput = z.string().min(1).max(100).describe("The client, by the name it reports");

export const trustClient = operation({
  name: "trust_client",
  title: "Trust a client",
  summary:
    "Let a client relay your approval. You must start it over stdin and stdout with the key that this command prints once. Only a person does this.",
  input: z.object({ client: clientInput }),
  output: z.object({ client: z.string(), since: z.string(), key: z.string() }),
  effect: "decides",
  expose: { http: "POST /qualitative/policy/clients", cli: "project policy trust <client>" },
  example: { client: "my-editor" },
  run: ({ client }, { policy }, call) => policy.trust(client, call),
  present: ({ client, key }) => [
    textBlock(
      [
        `Answers that '${client}' relays now count as yours if it is started with`,
        `  ${clientKeyVariable}=${key}`,
        "in the environment of `lectern mcp`. The key is not shown again.",
      ].join("\n"),
    ),
  ],
});

export const distrustClient = operation({
  name: distrustClientOperation,
  title: "Stop trusting a client",
  summary: "Stop a client from relaying your approvals. Only a person does this.",
  input: z.object({ client: clientInput }),
  output: z.object({ client: z.string(), trusted: z.literal(false) }),
  effect: "decides",
  expose: {
    http: "DELETE /qualitative/policy/clients/{client}",
    cli: "project policy distrust <client>",
  },
  example: { client: "my-editor" },
  *run({ client }, { policy }, call) {
    yield* policy.distrust(client, call);
    return { client, trusted: false as const };
  },
  present: ({ client }) => [textBlock(`'${client}' is not trusted.`)],
});
