import { AddFolder } from "./add-folder.tsx";

/** What to do with a library that holds nothing yet. */
export function FirstSteps() {
  return (
    <section class="first-step" aria-labelledby="first-step">
      <h2 id="first-step">Nothing lies on the lectern yet</h2>
      <ol class="steps">
        <li>
          <h3>Give it a folder of documents</h3>
          <p>They stay where they are, and this page fills as they are read.</p>
          <AddFolder />
          <p>The same at a shell:</p>
          <pre>
            <code>lectern collection add ~/notes</code>
          </pre>
        </li>
        <li>
          <h3>Let your agent in</h3>
          <p>In the folder that the agent works in:</p>
          <pre>
            <code>lectern init</code>
          </pre>
          <p>
            Or give any client that speaks MCP this address: <code>{location.origin}/mcp</code>
          </p>
        </li>
        <li>
          <h3>Ask</h3>
          <p>
            Type a few words above, or let the agent search. What it proposes waits under Review
            until you say yes; whatever it changes is listed there and can be taken back.
          </p>
        </li>
      </ol>
    </section>
  );
}
