import * as z from "zod";
import { isPerson } from "../../../../kernel/call.ts";
import { invalid } from "../../../../kernel/failure.ts";
import { type AnyOperation, operationsFor } from "../../../../kernel/operation.ts";
import { listPageShape, pagingInputShape } from "../../../../kernel/operations/list-page.ts";
import { textBlock } from "../../../../kernel/operations/output-block.ts";
import { similarNames } from "../../../../text/strings/similar-names.ts";
import {
  defaultTier,
  possibleTiers,
  setPolicyOperation,
  wildcard,
} from "../../governance/policy.ts";
import { tierMeanings, tiers } from "../../governance/tier.ts";
import { visibleSourceIds } from "../../qda/storage-privacy.ts";
import type { QualitativeState } from "../../state.ts";
import { distrustClient, trustClient } from "./trusted-clients.ts";

const operation = operationsFor<QualitativeState>();

const PolicyRuleOutput = z.object({
  operation: z.string(),
  agent: z.string(),
  tier: z.enum(tiers),
});

const OperationTier = z.object({
  operation: z.string(),
  title: z.string(),
  effect: z.string(),
  tier: z.enum(tiers),
  default: z.enum(tiers),
  // The old name of `default`, to be removed in the next version.
  usual: z.enum(tiers),
  possible: z.array(z.enum(tiers)),
});

/** Operations to read and set the policy for the given operations. */
export function policyOperations(all: readonly AnyOperation<QualitativeState>[]) {
  const reachable = all.filter(
    ({ expose, effect }) => (expose.mcp || expose.http) && effect !== "decides",
  );

  const listPolicy = operation({
    name: "list_policy",
    title: "List the policy",
    summary: "What agents may do: the tier of each operation, and the researcher's rules.",
    input: z.object({ agent: z.string().default(wildcard).describe("For this agent, by name") }),
    output: z.object({
      operations: z.array(OperationTier),
      rules: z.array(PolicyRuleOutput),
      meanings: z.array(z.object({ tier: z.enum(tiers), means: z.string() })),
      trusted: z
        .array(z.object({ client: z.string(), since: z.string() }))
        .describe("Clients that may relay a person's approval"),
    }),
    effect: "reads",
    expose: { http: "GET /qualitative/policy", cli: "project policy" },
    example: {},
    *run({ agent }, { policy }) {
      const operations: z.input<typeof OperationTier>[] = [];
      for (const item of reachable) {
        operations.push({
          operation: item.name,
          title: item.title,
          effect: item.effect,
          tier: yield* policy.tierOf(item, agent),
          default: defaultTier(item),
          usual: defaultTier(item),
          possible: [...possibleTiers(item)],
        });
      }
      return {
        operations,
        rules: yield* policy.rules(),
        meanings: tiers.map((tier) => ({ tier, means: tierMeanings[tier] })),
        trusted: yield* policy.trustedClients(),
      };
    },
    present: ({ operations, rules, meanings, trusted }) => [
      textBlock(
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
    name: setPolicyOperation,
    title: "Set the policy",
    summary:
      "Set what agents may do with an operation. A rule for one agent can only be stricter than the rule for all. Only a person does this.",
    input: z.object({
      operation: z.string().describe("Its name, or * for all"),
      // `usual` is the old name of `default`, to be removed in the next version.
      tier: z
        .enum([...tiers, "default", "usual"])
        .describe("What an agent may do; default deletes the rule"),
      agent: z.string().min(1).max(200).default(wildcard).describe("By its name, or * for all"),
    }),
    output: z.object({ rules: z.array(PolicyRuleOutput) }),
    effect: "decides",
    expose: { http: "PUT /qualitative/policy", cli: "project policy set <operation> <tier>" },
    example: { operation: "delete_code", tier: "require" },
    *run({ operation: name, tier: given, agent }, { policy }, call) {
      const tier = given === "usual" ? "default" : given;
      assertKnownOperation(name, tier);
      yield* policy.setRule({ operation: name, agent, tier }, call);
      return { rules: yield* policy.rules() };
    },
    present: (_output, { operation: name, tier, agent }) => [
      textBlock(`${name} for ${agent}: ${tier}`),
    ],
  });

  function assertKnownOperation(name: string, tier: string): void {
    if (name === wildcard) return;
    const target = reachable.find((item) => item.name === name);
    if (!target) {
      const near = similarNames(
        name,
        reachable.map((item) => item.name),
      );
      throw invalid(`Unknown operation '${name}'.`, [
        near.length > 0 ? `Did you mean ${near.join(", ")}?` : "list_policy lists them.",
      ]);
    }
    const possible: readonly string[] = [...possibleTiers(target), "default"];
    if (possible.includes(tier)) return;
    throw invalid(`'${name}' only reads, so its tier is one of ${possible.join(", ")}.`);
  }

  return [listPolicy, setPolicy, listReads, trustClient, distrustClient] as const;
}

const listReads = operation({
  name: "list_reads",
  title: "List what agents have read",
  summary: "Which passages agents have read, and by which call, newest first.",
  input: z.object({ ...pagingInputShape }),
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
    ...listPageShape,
  }),
  effect: "reads",
  expose: { http: "GET /qualitative/reads", cli: "project reads" },
  example: {},
  *run(paging, state, call) {
    const { current, readLog, visibleFolder: within } = state;
    if (isPerson(call)) {
      const { items, ...rest } = yield* readLog.list({ ...paging, within });
      return { reads: items, ...rest };
    }
    // The source may have become private since, and may have had another name.
    const ids = current ? visibleSourceIds(current.db) : [];
    const sources = { project: current?.path ?? "", ids };
    const { items, ...rest } = yield* readLog.list({ ...paging, within, sources });
    return { reads: items.map((read) => ({ ...read, source_name: null })), ...rest };
  },
  present({ reads }) {
    if (reads.length === 0) return [textBlock("No agent has read anything.")];
    const lines = reads.map(
      ({ at, agent, source_id, source_name, start_pos, end_pos, operation: name }) =>
        `${at}  ${agent}  ${source_name ?? `source ${source_id}`} [${start_pos}:${end_pos}]  ${name}`,
    );
    return [textBlock(lines.join("\n"))];
  },
});
