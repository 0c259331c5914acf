import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import { clientKeyVariable } from "../../../kernel/client-key.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { distrustOperation } from "../policy.ts";
import type { QualitativeState } from "../state.ts";

const operation = operationsOn<QualitativeState>();

const clientInput = z
  .string()
  .min(1)
  .max(100)
  .describe("The client, by the name that it gives itself");

export const trustClient = operation({
  name: "trust_client",
  title: "Trust a client",
  summary:
    "Let a client relay your answer where your yes is required. It must be started by you over stdin and stdout, with the key that this gives, once. Only a person does this.",
  input: z.object({ client: clientInput }),
  output: z.object({ client: z.string(), since: z.string(), key: z.string() }),
  effect: "decides",
  expose: { http: "POST /qualitative/policy/clients", cli: "project policy trust <client>" },
  example: { client: "my-editor" },
  run: ({ client }, { policy }, call) => policy.trust(client, call),
  present: ({ client, key }) => [
    text(
      [
        `Answers that '${client}' relays count as yours from now on, where it is started with`,
        `  ${clientKeyVariable}=${key}`,
        "in the environment of `lectern mcp`. The key is not shown again.",
      ].join("\n"),
    ),
  ],
});

export const distrustClient = operation({
  name: distrustOperation,
  title: "Trust a client no more",
  summary: "Take back that a client may relay your answers. Only a person does this.",
  input: z.object({ client: clientInput }),
  output: z.object({ client: z.string(), trusted: z.literal(false) }),
  effect: "decides",
  expose: {
    http: "DELETE /qualitative/policy/clients/{client}",
    cli: "project policy distrust <client>",
  },
  example: { client: "my-editor" },
  run({ client }, { policy }, call) {
    policy.distrust(client, call);
    return { client, trusted: false as const };
  },
  present: ({ client }) => [text(`'${client}' is not trusted.`)],
});
