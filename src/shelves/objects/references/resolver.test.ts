import { describe, expect, test } from "vitest";
import { objectFolder } from "../../../../tests/fixtures/objects/object-folder.ts";
import type { WorkspaceView } from "../workspace/workspace-view.ts";
import type { ReferenceResolution } from "./resolver.ts";

/** Two namespaces that share names, a service with children, and objects of two kinds by one id. */
const files = {
  "readme.qmd.md": "# Home [[home: __Workspace]]\n",
  "api/readme.qmd.md": "# API [[api: __Namespace]]\n",
  "api/a.qmd.md": `# Users [[users: Table]]

- owner: [[#ada]]
- shared: 1

# Users [[users: Entity]]

- shared: 2

# Service [[svc: Service]]

- version: 1.0
- label: [[#svc.ops]]
- note: both

## Ops [[ops: Operation]]

- verb: GET

## Settings [[settings: yaml]]

\`\`\`yaml
limits:
  most: 5
\`\`\`

# Note [[svc.note]]

# Twin [[twin]]

# Ada [[ada: Person]]
`,
  "db/readme.qmd.md": "# DB [[db: __Namespace]]\n",
  "db/b.qmd.md": `# Twin [[twin]]

# Only here [[lone: Table]]

# Service [[svc2: Service]]

## Ops [[ops: Operation]]

## More [[more: Operation]]

# Third [[svc3: Service]]

## More [[more: Operation]]

Words before.
`,
};

const fromApi = { workspace: "home", namespace: "api", file: "api/a.qmd.md" };
const fromDb = { workspace: "home", namespace: "db", file: "db/b.qmd.md" };

/** A resolution in one line. */
function formatResolution(found: ReferenceResolution): string {
  if (found.found === "object") return found.object.globalId;
  if (found.found === "field") return `${found.object.globalId} → ${found.field}`;
  if (found.found === "ambiguous") return `${found.by}: ${found.candidates.join(" | ")}`;
  return found.suggestion ? `nothing, meant ${found.suggestion}` : "nothing";
}

const table: [reference: string, from: "api" | "db" | "caller", leadsTo: string][] = [
  ["lone", "caller", "home:db:lone"],
  ["#lone", "caller", "home:db:lone"],
  ["[[#lone]]", "caller", "home:db:lone"],
  ["lone", "api", "home:db:lone"],
  ["twin", "api", "home:api:twin"],
  ["twin", "db", "home:db:twin"],
  ["twin", "caller", "id: api:__Object:twin | db:__Object:twin"],
  ["users", "api", "id: api:Table:users | api:Entity:users"],
  ["users.owner", "api", "home:api:users → owner"],
  [
    "users.shared",
    "api",
    "field: field 'shared' on object 'users' (value: 1) | field 'shared' on object 'users' (value: 2)",
  ],
  ["Table:users", "api", "home:api:users"],
  ["Entity:users", "api", "home:api:Entity:users"],
  ["Entity:users", "db", "home:api:Entity:users"],
  ["View:users", "api", "nothing"],
  ["db:twin", "api", "home:db:twin"],
  ["api:twin", "db", "home:api:twin"],
  ["api:lone", "db", "nothing, meant db:lone"],
  ["nowhere:lone", "api", "nothing, meant db:lone"],
  ["api:Entity:users", "db", "home:api:Entity:users"],
  ["db:Entity:users", "api", "nothing, meant api:users"],
  ["home:db:twin", "api", "home:db:twin"],
  ["home:api:Table:users", "caller", "home:api:users"],
  ["elsewhere:api:Table:users", "caller", "nothing"],
  ["a:b:c:d:twin", "api", "nothing"],
  ["api", "db", "home::api"],
  ["home", "db", "::home"],
  ["svc.ops", "api", "home:api:svc.ops"],
  ["ops", "api", "home:api:svc.ops"],
  ["ops", "db", "home:db:svc2.ops"],
  ["db:ops", "api", "home:db:svc2.ops"],
  ["more", "db", "local id: db:Operation:svc2.more | db:Operation:svc3.more"],
  ["more", "api", "nothing"],
  ["svc.version", "api", "home:api:svc → version"],
  ["Service:svc.version", "db", "home:api:svc → version"],
  ["ops.verb", "api", "home:api:svc.ops → verb"],
  ["svc.ops.verb", "api", "home:api:svc.ops → verb"],
  ["svc.settings.limits.most", "api", "home:api:svc → settings.limits.most"],
  ["svc.settings.limits.least", "api", "nothing"],
  ["svc.missing", "api", "nothing"],
  ["missing.ops", "api", "nothing"],
  ["svc.__kind", "api", "nothing"],
  [
    "svc.note",
    "api",
    "field: object with __id 'svc.note' | field 'note' on object 'svc' (value: both)",
  ],
  ["a#users", "api", "id: api:Table:users | api:Entity:users"],
  ["api/a.qmd.md#Table:users", "db", "home:api:users"],
  ["b#twin", "db", "home:db:twin"],
  ["a#lone", "api", "nothing"],
  ["", "caller", "nothing"],
  [":", "caller", "nothing"],
  ["__proto__", "caller", "nothing"],
  ["svc.constructor", "api", "nothing"],
];

describe("[objects.resolver.table] each form of reference resolves as specified", async () => {
  let view: Promise<WorkspaceView> | undefined;
  for (const [reference, from, leadsTo] of table) {
    test(`${reference} from ${from}`, async () => {
      view ??= objectFolder(files).view();
      const { resolver } = await view;
      const standpoint = { api: fromApi, db: fromDb, caller: undefined }[from];
      expect(formatResolution(resolver.resolve(reference, standpoint))).toBe(leadsTo);
    });
  }
});

test("[objects.resolver.near-layout] text blocks can be referenced by short name only within their own file", async () => {
  const { resolver } = await objectFolder({
    "readme.qmd.md": "# Home [[home: __Workspace]]\n",
    "a.qmd.md": "Words\n",
    "b.qmd.md": "Words\n\n# B [[b]]\n\n- see: [[#text_0]]\n",
  }).view();
  const from = { workspace: "home", namespace: "", file: "b.qmd.md" };
  expect(resolver.resolve("text_0", from)).toMatchObject({ object: { file: "b.qmd.md" } });
});

test("[objects.resolver.same-name] objects that differ in nothing else are distinguished by file", async () => {
  const { resolver } = await objectFolder({
    "readme.qmd.md": "# Home [[home: __Workspace]]\n",
    "a.qmd.md": "# [[x: T]]\n",
    "b.qmd.md": "# [[x: T]]\n",
  }).view();
  const found = resolver.resolve("x");
  expect(found).toMatchObject({ candidates: ["a.qmd.md#T:x", "b.qmd.md#T:x"] });
  expect(resolver.resolve("b.qmd.md#T:x")).toMatchObject({ object: { file: "b.qmd.md" } });
});

test("duplicates in one file are distinguished by global ids, which lead to each", async () => {
  const { resolver } = await objectFolder({
    "readme.qmd.md": "# Home [[home: __Workspace]]\n",
    "a.qmd.md": "# [[x: T]]\n\n# [[x: T]]\n",
    "b.qmd.md": "# [[x: T]]\n",
  }).view();
  const found = resolver.resolve("x");
  const candidates = found.found === "ambiguous" ? found.candidates : [];
  expect(candidates).toHaveLength(3);
  expect(candidates[2]).toBe("b.qmd.md#T:x");
  const places = candidates.map((name) => resolver.resolve(name));
  expect(places).toMatchObject([
    { object: { file: "a.qmd.md", line: 1 } },
    { object: { file: "a.qmd.md", line: 3 } },
    { object: { file: "b.qmd.md", line: 1 } },
  ]);
});

test("[objects.resolver.other-workspace] an object named like another workspace is not mistaken for that workspace", async () => {
  const { resolver } = await objectFolder({
    "one/readme.qmd.md": "# [[one: __Workspace]]\n",
    "two/readme.qmd.md": "# [[two: __Workspace]]\n\n## [[one: Number]]\n",
  }).view();
  const from = { workspace: "one", namespace: "", file: "one/readme.qmd.md" };
  expect(resolver.resolve("one", from)).toMatchObject({ object: { kind: "__Workspace" } });
});

const complaintFiles = {
  "readme.qmd.md": "# Home [[home: __Workspace]]\n",
  "api/readme.qmd.md": "# API [[api: __Namespace]]\n",
  "api/a.qmd.md": "# X [[x: A]]\n\n# X [[x: B]]\n\n# L [[lone]]\n",
  "z.qmd.md": `# Z [[z]]

- broken: [[#nothing]]
- meant: [[#other:lone]]
- several: [[#x]]
- kind: [[#A:x]], [[#gone]]
- code: \`[[#ignored]]\`
- w: words

## W [[z.w]]

A reference to [[#void]] in words, and [[#z.w]].
`,
};

test("[objects.diagnostics.references] each unresolved or ambiguous reference is reported once, with its location", async () => {
  const { allDiagnostics } = await objectFolder(complaintFiles).view();
  const result = allDiagnostics
    .filter(({ type }) => /link|ambiguous/.test(type))
    .map(({ type, message, line, severity, reference }) => [
      type,
      line,
      severity,
      reference,
      message,
    ]);
  expect(result).toEqual([
    ["broken_link", 3, "error", "[[#nothing]]", "Object 'nothing' not found"],
    [
      "broken_link",
      4,
      "error",
      "[[#other:lone]]",
      "Object 'other:lone' not found. Did you mean [[#api:lone]]?",
    ],
    [
      "ambiguous_reference",
      5,
      "warning",
      "[[#x]]",
      "Ambiguous reference '#x' - multiple objects match",
    ],
    ["broken_link", 6, "error", "[[#gone]]", "Object 'gone' not found"],
    ["broken_link", 12, "error", "[[#void]]", "Object 'void' not found"],
  ]);
});

test("[objects.graph.agree] the graph, SQL and diagnostics resolve references the same way", async () => {
  const { graph, sqlParts, occurrences } = await objectFolder(files).view();
  const rows = [...sqlParts.values()].flatMap((part) => part.rows().edges ?? []);
  expect(rows.map(([source, , target]) => `${source} ${target}`).sort()).toEqual(
    graph.edges.map(({ source, target }) => `${source.globalId} ${target.globalId}`).sort(),
  );
  expect(occurrences.filter(({ target }) => target).length).toBe(2);
});
