import { AddFolder } from "./add-folder.tsx";

/** The first steps, shown while the library is empty. */
export function FirstSteps() {
  return (
    <section class="first-step" aria-labelledby="first-step">
      <h2 id="first-step">Your library is empty</h2>
      <ol class="steps">
        <li>
          <h3>Add a folder of documents</h3>
          <p>The files stay where they are, and appear here as they are indexed.</p>
          <AddFolder />
          <p>Or in a shell:</p>
          <pre>
            <code>lectern collection add ~/notes</code>
          </pre>
        </li>
        <li>
          <h3>Connect your agent</h3>
          <p>In the folder that the agent works in, run:</p>
          <pre>
            <code>lectern init</code>
          </pre>
          <p>
            Or give any MCP client this address: <code>{location.origin}/mcp</code>
          </p>
        </li>
        <li>
          <h3>Search</h3>
          <p>
            Type a few words above, or let the agent search. Its proposals wait under Review until
            you accept them. Its changes are listed there too, and can be undone.
          </p>
        </li>
      </ol>
    </section>
  );
}
