import { mkdirSync } from "node:fs";
import { join } from "node:path";
import {
  type Category,
  categories,
  type DeveloperQuestion,
  readQuestions,
} from "../../tests/fixtures/developer-questions/questions.ts";
import { type Contestant, lectern, runTimed } from "./contestant.ts";
import { pages } from "./corpus.ts";
import { type Section, table } from "./page.ts";
import { installPeer, newerNode, peer, peerName } from "./peer.ts";
import { openSession, type Session } from "./stdio.ts";

const title = "Developer questions";

/** The number of results that are considered. */
const depth = 10;

/** A question fails if no correct page is among this many first results. */
const requiredRank = 3;

/** The answers of both engines to a question. */
interface Outcome extends DeveloperQuestion {
  category: Category;
  ours: Answer;
  theirs: Answer;
}

interface Answer {
  /** The first documents, best first. */
  found: string[];
  /** The rank of the first correct page, from one; infinite if there is none. */
  rank: number;
}

/** Compares keyword search with the peer's, on questions with judged answers. */
export async function compareQuestions(tempFolder: string, isVerbose: boolean): Promise<Section> {
  const setup = await prepareComparison(tempFolder);
  if (typeof setup === "string") return { title, text: `Skipped: ${setup}`, targets: [] };
  const outcomes = await askAll(setup.ours, setup.theirs);
  if (isVerbose) process.stderr.write(`${failures(outcomes)}\n`);
  const rows = [
    ...categories.map((name) =>
      row(
        name,
        outcomes.filter(({ category }) => category === name),
      ),
    ),
    row("all", outcomes),
  ];
  const head = ["category", "n", "better", "worse", "even", "both fail", "hit@1", "hit@3"];
  return {
    title,
    text: `${outcomes.length} questions as developers type them, on the same pages: keyword search of Lectern (\`search\`) and of
${peerName} (\`lex\`, equivalent to \`qmd search\`), both over MCP. Better: Lectern's first correct page has a
higher rank within the first ${depth} results; even: the same rank; both fail: neither finds one. Hits are
Lectern / qmd. The questions and their judgements are in \`tests/fixtures/developer-questions\`.

${table(head, rows)}`,
    targets: [],
  };
}

/** Both engines with indexed pages, or the reason why the comparison is skipped. */
async function prepareComparison(tempFolder: string) {
  if (!pages) return "the documentation pages are not available.";
  const packages = await installPeer().catch(({ message }: Error) => ({ message }));
  if (typeof packages !== "string") return packages.message;
  const node = newerNode(packages);
  if (!node) return `${peerName} needs Node 24, which is not installed.`;
  const ours = lectern(join(tempFolder, "questions-ours"));
  const theirs = peer(join(tempFolder, "questions-theirs"), node, packages, "bin/qmd");
  for (const contestant of [ours, theirs]) {
    mkdirSync(contestant.home);
    await runTimed(contestant, contestant.index(pages));
  }
  return { ours, theirs };
}

async function askAll(ours: Contestant, theirs: Contestant): Promise<Outcome[]> {
  const [our, their] = await Promise.all([openSession(ours), openSession(theirs)]);
  const outcomes: Outcome[] = [];
  for (const category of categories) {
    for (const question of readQuestions(category)) {
      outcomes.push({
        ...question,
        category,
        ours: await ask(our, ours, question),
        theirs: await ask(their, theirs, question),
      });
    }
  }
  await Promise.all([our.close(), their.close()]);
  return outcomes;
}

async function ask(
  session: Session,
  contestant: Contestant,
  { query, relevant }: DeveloperQuestion,
): Promise<Answer> {
  const { name, arguments: input } = contestant.call(query);
  const { results } = await session.call(name, input);
  const files = (results as { file: string }[]).map(({ file }) => file.replace(/^docs\//, ""));
  const found = [...new Set(files)].slice(0, depth);
  const index = found.findIndex((file) => relevant.includes(file));
  return { found, rank: index < 0 ? Number.POSITIVE_INFINITY : index + 1 };
}

function row(name: string, outcomes: readonly Outcome[]): (string | number)[] {
  const count = (condition: (outcome: Outcome) => boolean) => outcomes.filter(condition).length;
  const within = (max: number) =>
    `${count(({ ours }) => ours.rank <= max)} / ${count(({ theirs }) => theirs.rank <= max)}`;
  return [
    name,
    outcomes.length,
    count(({ ours, theirs }) => ours.rank < theirs.rank),
    count(({ ours, theirs }) => ours.rank > theirs.rank),
    count(({ ours, theirs }) => ours.rank === theirs.rank && ours.rank <= depth),
    count(({ ours, theirs }) => Math.min(ours.rank, theirs.rank) > depth),
    within(1),
    within(3),
  ];
}

/** The questions that Lectern failed, with both ranks and the first results. */
function failures(outcomes: readonly Outcome[]): string {
  const shown = (rank: number) => (rank <= depth ? String(rank) : "–");
  const failed = outcomes.filter(({ ours }) => ours.rank > requiredRank);
  return failed
    .map(({ id, query, ours, theirs, relevant }) =>
      [
        `${id}: ${query}`,
        `  our rank ${shown(ours.rank)}, theirs ${shown(theirs.rank)}; wanted: ${relevant.slice(0, 3).join(", ")}`,
        ...ours.found.slice(0, requiredRank).map((file, index) => `  ${index + 1}. ${file}`),
      ].join("\n"),
    )
    .join("\n");
}
