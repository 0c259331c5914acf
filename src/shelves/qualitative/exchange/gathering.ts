import { sharedMemo } from "../memo.ts";
import { listedCoders } from "../qda/storage-coders.ts";
import { countsBeside } from "../qda/storage-exchange.ts";
import { projectRow } from "../qda/storage-project.ts";
import type { Basket, Gathering } from "./basket.ts";
import { type Content, emptyContent } from "./content.ts";
import { gatherAround } from "./gathering-around.ts";
import { gatherCodebook } from "./gathering-codebook.ts";
import { gatherSources } from "./gathering-sources.ts";
import { derivedGuid } from "./guid.ts";
import { knownGuids } from "./guids.ts";

/** Everything of a project that can travel; what cannot is told. */
export function gatherContent(gathering: Gathering): Content {
  const { project, losses } = gathering;
  const about = projectRow(project.db);
  const basket = makeBasket(gathering);
  const { categories, codes, codeOfRow } = gatherCodebook(basket);
  const sources = gatherSources(basket, codeOfRow);
  const around = gatherAround(basket, sources);
  for (const { what, count } of countsBeside(project.db)) losses.add("dropped", what, "", count);
  const owned = categories.length + codes.length + around.cases.length;
  losses.add("dropped", "Owners and dates of codes, categories and cases", "", owned);
  return {
    name: project.name,
    memo: basket.memoOf(about?.memo ?? null, project.name),
    coder: about?.codername || undefined,
    coders: basket.coders(),
    categories,
    codes,
    ...around,
    sources: [...sources.values()],
  };
}

/** Codes and categories alone. */
export function gatherCodes(gathering: Gathering): Content {
  const { categories, codes } = gatherCodebook(makeBasket(gathering));
  return { ...emptyContent(gathering.project.name), categories, codes };
}

function makeBasket(gathering: Gathering): Basket {
  const { project, losses, isWhole } = gathering;
  const about = projectRow(project.db);
  const known = knownGuids(project.db);
  const listed = listedCoders(project.db);
  const hidden = new Set(listed.filter((one) => one.visibility === 0).map(({ name }) => name));
  const coders = new Set(isWhole ? listed.map(({ name }) => name) : []);
  if (about?.codername) coders.add(about.codername);
  return {
    ...gathering,
    guidOf: (kind, { row, date = null }) =>
      known(kind, String(row), date) ?? derivedGuid(about?.date ?? null, kind, row, date),
    memoOf(memo, of) {
      const seen = isWhole ? memo : sharedMemo(memo);
      if (seen !== memo) losses.add("dropped", "Private parts of memos", of);
      return seen ?? "";
    },
    made({ owner, date }) {
      if (owner) coders.add(owner);
      return { owner: owner || undefined, date: date || undefined };
    },
    isHidden: (owner) => !isWhole && hidden.has(owner ?? ""),
    coders() {
      if (isWhole) losses.add("dropped", "Which coders are hidden", "", hidden.size);
      return [...coders]
        .sort()
        .map((name) => ({ name, guid: known("coder", name, null) ?? derivedGuid("coder", name) }));
    },
  };
}
