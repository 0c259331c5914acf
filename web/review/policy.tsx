import { computed, signal, useSignal } from "@preact/signals";
import { address, navigate } from "../app/address.ts";
import { useHeadingFocus } from "../components/link.tsx";
import { call, type Input, type Output } from "../server/client.ts";
import { createLiveQuery } from "../server/live-query.ts";
import { readLog } from "./read-log.tsx";
import { TrustedClients } from "./trusted-clients.tsx";

type Tier = Input<"set_policy">["tier"];
type Governed = Output<"list_policy">["operations"][number];

/** Means every agent, or every operation. */
const wildcard = "*";

const agent = computed(() => address.value.item || wildcard);

const policy = createLiveQuery((signal) =>
  address.value.view === "review" && address.value.part === "policy"
    ? call("list_policy", { agent: agent.value }, signal)
    : undefined,
);

const outcome = signal("");

/** The agents that have a rule or appear in the read log. */
const knownAgents = computed(() => {
  const ruled = policy.answer.value?.rules.map((rule) => rule.agent) ?? [];
  const readers = readLog.answer.value?.reads.map((read) => read.agent) ?? [];
  const names = new Set([...ruled, ...readers, agent.value]);
  names.delete(wildcard);
  return [...names].sort((a, b) => a.localeCompare(b));
});

/** What agents may do with each operation without approval. */
export function Policy() {
  const heading = useHeadingFocus("policy");
  const { operations = [], meanings = [] } = policy.answer.value ?? {};
  const kinds = [
    ["Operations that write", ({ effect }: Governed) => effect === "writes"],
    ["Operations that delete", ({ effect }: Governed) => effect === "deletes"],
    ["Operations that read", ({ effect }: Governed) => effect === "reads"],
  ] as const;
  return (
    <section class="policy" aria-labelledby="policy">
      <h2 id="policy" ref={heading} tabIndex={-1}>
        What agents may do
      </h2>
      <dl class="tiers">
        {meanings.map(({ tier, means }) => (
          <div key={tier}>
            <dt>{tier}</dt>
            <dd>{means}</dd>
          </div>
        ))}
      </dl>
      <AgentChoice />
      <p class="outcome" role="status">
        {policy.failure.value ?? outcome.value}
      </p>
      {policy.answer.value && (
        <>
          <table>
            <caption class="unseen">All operations</caption>
            <tbody>
              <AllOperations />
            </tbody>
          </table>
          {kinds.map(([label, isOfKind]) => (
            <table key={label}>
              <caption>{label}</caption>
              <thead>
                <tr>
                  <th scope="col">Operation</th>
                  <th scope="col">Policy</th>
                </tr>
              </thead>
              <tbody>
                {operations.filter(isOfKind).map((governed) => (
                  <OperationRow key={governed.operation} governed={governed} />
                ))}
              </tbody>
            </table>
          ))}
          <TrustedClients trusted={policy.answer.value.trusted} />
        </>
      )}
    </section>
  );
}

function AgentChoice() {
  const otherAgent = useSignal("");
  return (
    <div class="whom">
      <label>
        For
        <select
          value={agent.value}
          onChange={({ currentTarget: { value } }) =>
            navigate({ item: value === wildcard ? "" : value })
          }
        >
          <option value={wildcard}>every agent</option>
          {knownAgents.value.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          navigate({ item: otherAgent.value.trim() });
          otherAgent.value = "";
        }}
      >
        <label>
          or another agent, by name
          <input
            type="text"
            required
            maxLength={200}
            value={otherAgent.value}
            onInput={(event) => {
              otherAgent.value = event.currentTarget.value;
            }}
          />
        </label>
        <button type="submit">Show</button>
      </form>
      {agent.value !== wildcard && (
        <p class="about">A rule for one agent can only be stricter than the rule for all.</p>
      )}
    </div>
  );
}

const ruleFor = (operation: string, agent: string) =>
  policy.answer.value?.rules.find((rule) => rule.operation === operation && rule.agent === agent);

function AllOperations() {
  const tiers = policy.answer.value?.meanings.map(({ tier }) => tier) ?? [];
  return (
    <tr>
      <th scope="row">
        All operations <span class="about">unless set below</span>
      </th>
      <td>
        <TierChoice
          operation={wildcard}
          label="All operations"
          defaultLabel="default"
          possible={tiers}
        />
      </td>
    </tr>
  );
}

function OperationRow({ governed }: { governed: Governed }) {
  const { operation, title, tier, possible } = governed;
  const rule = ruleFor(operation, agent.value);
  return (
    <tr class={rule ? "ruled" : undefined}>
      <th scope="row">
        {title} <code>{operation}</code>
      </th>
      <td>
        <TierChoice
          operation={operation}
          label={title}
          defaultLabel={rule ? "default" : `default: ${tier}`}
          possible={possible}
        />
        {rule && rule.tier !== tier && <span class="about"> in force: {tier}</span>}
      </td>
    </tr>
  );
}

interface TierChoiceProps {
  operation: string;
  label: string;
  defaultLabel: string;
  possible: readonly Tier[];
}

function TierChoice({ operation, label, defaultLabel, possible }: TierChoiceProps) {
  const current: Tier = ruleFor(operation, agent.value)?.tier ?? "default";
  return (
    <select
      aria-label={`${label} (${operation})`}
      value={current}
      onChange={({ currentTarget }) =>
        // The options below are all tiers.
        void set(operation, currentTarget.value as Tier)
      }
    >
      <option value="default">{defaultLabel}</option>
      {possible.map((tier) => (
        <option key={tier} value={tier}>
          {tier}
        </option>
      ))}
    </select>
  );
}

async function set(operation: string, tier: Tier): Promise<void> {
  try {
    await call("set_policy", { operation, tier, agent: agent.value });
    const what = operation === wildcard ? "All operations" : operation;
    const whom = agent.value === wildcard ? "every agent" : agent.value;
    outcome.value = `${what} for ${whom}: ${tier}.`;
  } catch (error) {
    outcome.value = error instanceof Error ? error.message : String(error);
  }
}
