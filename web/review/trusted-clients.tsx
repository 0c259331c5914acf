import { signal, useSignal } from "@preact/signals";
import { call, type Output } from "../server/client.ts";

const outcome = signal("");
/** The key of the client that was just trusted. The server shows it only once. */
const issuedKey = signal<{ client: string; key: string } | undefined>(undefined);

/** The clients that may relay the person's approval. */
export function TrustedClients({ trusted }: Pick<Output<"list_policy">, "trusted">) {
  const name = useSignal("");
  return (
    <section class="trusted" aria-labelledby="trusted">
      <h3 id="trusted">Trusted clients</h3>
      <p class="about">
        Operations that need your approval wait here. A trusted client may ask you for approval
        itself. It must start <code>lectern mcp</code> with the key that you get here.
      </p>
      <ul>
        {trusted.map(({ client, since }) => (
          <li key={client}>
            {client}, since {new Date(since).toLocaleDateString()}{" "}
            <button type="button" class="quiet" onClick={() => void distrust(client)}>
              Stop trusting<span class="unseen"> {client}</span>
            </button>
          </li>
        ))}
      </ul>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void trust(name.value.trim());
          name.value = "";
        }}
      >
        <label>
          Trust a client, by the name that it reports
          <input
            type="text"
            required
            maxLength={100}
            value={name.value}
            onInput={({ currentTarget }) => {
              name.value = currentTarget.value;
            }}
          />
        </label>
        <button type="submit">Trust</button>
      </form>
      <p role="status">{outcome.value}</p>
      {issuedKey.value && (
        <p>
          Add this to the environment of {issuedKey.value.client}'s server. It is not shown again:{" "}
          <code>LECTERN_CLIENT_KEY={issuedKey.value.key}</code>
        </p>
      )}
    </section>
  );
}

async function trust(client: string): Promise<void> {
  try {
    issuedKey.value = await call("trust_client", { client });
    outcome.value = `${client} may relay your approval.`;
  } catch (error) {
    outcome.value = error instanceof Error ? error.message : String(error);
  }
}

async function distrust(client: string): Promise<void> {
  try {
    await call("distrust_client", { client });
    issuedKey.value = undefined;
    outcome.value = `${client} is no longer trusted.`;
  } catch (error) {
    outcome.value = error instanceof Error ? error.message : String(error);
  }
}
