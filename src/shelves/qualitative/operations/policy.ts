import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import { boundedShape, pagingShape } from "../../../kernel/bounded.ts";
import { isPerson } from "../../../kernel/call.ts";
import { invalid } from "../../../kernel/failure.ts";
import { type AnyOperation, operationsOn } from "../../../kernel/operation.ts";
import { nearest } from "../../../text/similar-names.ts";
import { everyone, settingOperation, tiersFor, usualTier } from "../policy.ts";
import type { QualitativeState } from "../state.ts";
import { meaningOf, tiers } from "../tier.ts";
import { distrustClient, trustClient } from "./trusting.ts";

const operation = operationsOn<QualitativeState>();

const Rule = z.object({ operation: z.string(), agent: z.string(), tier: z.enum(tiers) });

/** What a person asks and says about agents, over the operations that agents can call. */
export function policyOperations(all: readonly AnyOperation<QualitativeState>[]) {
  const reachable = all.filter(
    ({ expose, effect }) => (expose.mcp || expose.http) && effect !== "decides",
  );

  const listPolicy = operation({
    name: "list_policy",
    title: "List the policy",
    summary: "How far agents may go: the tier of each operation, and the researcher's own rules.",
    input: z.object({ agent: z.string().default(everyone).describe("As this agent, by its name") }),
    output: z.object({
      operations: z.array(
        z.object({
          operation: z.string(),
          title: z.string(),
          effect: z.string(),
          tier: z.enum(tiers),
          usual: z.enum(tiers),
          possible: z.array(z.enum(tiers)),
        }),
      ),
      rules: z.array(Rule),
      meanings: z.array(z.object({ tier: z.enum(tiers), means: z.string() })),
      trusted: z
        .array(z.object({ client: z.string(), since: z.string() }))
        .describe("Clients that may relay a person's answer where a yes is required"),
    }),
    effect: "reads",
    expose: { http: "GET /qualitative/policy", cli: "project policy" },
    example: {},
    run: ({ agent }, { policy }) => ({
      operations: reachable.map((one) => ({
        operation: one.name,
        title: one.title,
        effect: one.effect,
        tier: policy.tierOf(one, agent),
        usual: usualTier(one),
        possible: [...tiersFor(one)],
      })),
      rules: policy.rules(),
      meanings: tiers.map((tier) => ({ tier, means: meaningOf[tier] })),
      trusted: policy.trusted(),
    }),
    present: ({ operations, rules, meanings, trusted }) => [
      text(
        [
          ...meanings.map(({ tier, means }) => `${tier.padEnd(10)}  an agent ${means}`),
          "",
          ...operations.map(({ operation: name, tier }) => `${tier.padEnd(10)}  ${name}`),
          ...rules.map((rule) => `rule: ${rule.operation} for ${rule.agent}: ${rule.tier}`),
          ...trusted.map(({ client, since }) => `trusted client: ${client}, since ${since}`),
        ].join("\n"),
      ),
    ],
  });

  const setPolicy = operation({
    name: settingOperation,
    title: "Set the policy",
    summary:
      "Say how far agents may go with an operation. A rule for one agent can only be stricter than the rule for all. Only a person does this.",
    input: z.object({
      operation: z.string().describe("Its name, or * for all"),
      tier: z.enum([...tiers, "usual"]).describe("What an agent may do by itself"),
      agent: z.string().min(1).max(200).default(everyone).describe("By its name, or * for all"),
    }),
    output: z.object({ rules: z.array(Rule) }),
    effect: "decides",
    expose: { http: "PUT /qualitative/policy", cli: "project policy set <operation> <tier>" },
    example: { operation: "delete_code", tier: "require" },
    run({ operation: name, tier, agent }, { policy }, call) {
      refuseUnknown(name, tier);
      policy.change({ operation: name, agent, tier }, call);
      return { rules: policy.rules() };
    },
    present: (_output, { operation: name, tier, agent }) => [text(`${name} for ${agent}: ${tier}`)],
  });

  function refuseUnknown(name: string, tier: string): void {
    if (name === everyone) return;
    const named = reachable.find((one) => one.name === name);
    if (!named) {
      const near = nearest(
        name,
        reachable.map((one) => one.name),
      );
      throw invalid(`Unknown operation '${name}'.`, [
        near.length > 0 ? `Did you mean ${near.join(", ")}?` : "list_policy names them.",
      ]);
    }
    const possible: readonly string[] = [...tiersFor(named), "usual"];
    if (possible.includes(tier)) return;
    throw invalid(`'${name}' only reads, so its tier is one of ${possible.join(", ")}.`);
  }

  return [listPolicy, setPolicy, listReads, trustClient, distrustClient] as const;
}

const listReads = operation({
  name: "list_reads",
  title: "List what agents have read",
  summary: "Which passages of which sources an agent was given, and by which call, newest first.",
  input: z.object({ ...pagingShape }),
  output: z.object({
    reads: z.array(
      z.object({
        id: z.int(),
        at: z.string(),
        agent: z.string(),
        call: z.string(),
        operation: z.string(),
        project: z.string(),
        source_id: z.int(),
        source_name: z.string().nullable(),
        start_pos: z.int(),
        end_pos: z.int(),
      }),
    ),
    ...boundedShape,
  }),
  effect: "reads",
  expose: { http: "GET /qualitative/reads", cli: "project reads" },
  example: {},
  run(wanted, state, call) {
    const { items, ...rest } = state.reads.list(wanted);
    // A source may have become private since; whoever is no person knows it by its number.
    const shown = isPerson(call) ? items : items.map((read) => ({ ...read, source_name: null }));
    return { reads: shown, ...rest };
  },
  present({ reads }) {
    if (reads.length === 0) return [text("No agent has read anything.")];
    const lines = reads.map(
      ({ at, agent, source_id, source_name, start_pos, end_pos, operation: name }) =>
        `${at}  ${agent}  ${source_name ?? `source ${source_id}`} [${start_pos}:${end_pos}]  ${name}`,
    );
    return [text(lines.join("\n"))];
  },
});
