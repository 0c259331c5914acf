import { expect, test } from "vitest";
import { describeEveryIndex } from "../../../tests/fixtures/search/every-index.ts";
import { passages } from "../../../tests/fixtures/search/small-index.ts";
import { run } from "../storage/steps.ts";

describeEveryIndex((openIndex) => {
  /** Matches in texts by name, beside others so that words have a rarity. */
  async function library(texts: Record<string, string | { title: string; text: string }>) {
    const { match, change, store } = await openIndex();
    const names = Object.keys(texts);
    const entries = Object.values(texts).map((given) => {
      const { title, text } = typeof given === "string" ? { title: "", text: given } : given;
      return { title, passages: passages(text) };
    });
    for (let number = names.length + 1; number < 60; number++) {
      const text = `page ${number} of other words to fill the shelf with`;
      entries.push({ title: "", passages: passages(text) });
    }
    await change(entries.map((entry, at) => [at + 1, entry] as const));
    const matchAll = (query: string) => match(query, { limit: 50 });
    const found = async (query: string) =>
      (await matchAll(query)).map(({ document }) => names[document - 1]);
    return { match: matchAll, found, store };
  }

  const names = {
    camel: "Call getUserProfileById to read one.",
    snake: "The metric apiserver_request_duration_seconds_bucket is a histogram.",
    case: "Use snake_case_name here.",
    pascal: "The pod is in ImagePullBackOff again.",
    kebab: "Tasks of a multi-agent system.",
  };

  test.each([
    ["UserProfile", "camel"],
    ["user profile", "camel"],
    ["profile", "camel"],
    ["getUserProfile", "camel"],
    ["get_user_profile", "camel"],
    ["getuserprofilebyid", "camel"],
    ["request_duration_seconds", "snake"],
    ["case_name", "case"],
    ["CaseName", "case"],
    ["PullBackOff", "pascal"],
    ["image pull", "pascal"],
    ["multi-agent", "kebab"],
    ["multiAgent", "kebab"],
  ])("[search.names.parts] %s finds the name that has it", async (query, name) => {
    expect((await (await library(names)).found(query))[0]).toBe(name);
  });

  test("[search.names.parts] a name that is there in full comes before its scattered parts", async () => {
    const { found } = await library({
      parts: "The user has a profile. Get it by the id of the user, and get the profile.",
      ...names,
    });

    expect(await found("getUserProfileById")).toEqual(["camel", "parts"]);
  });

  test.each([
    ["request_duration_seconds", "cloudprovider_gce_api_request_duration_seconds"],
    ["CrashLoop", "CrashLoopBackOff"],
  ])("[search.names.within] %s finds the longer name before its parts", async (query, name) => {
    const { found } = await library({
      parts:
        "Each request and its duration: requests take seconds. A crash, crashes in a loop, loops.",
      between:
        "Names request_wait_duration_seconds, request_duration_in_seconds and crash_in_loop.",
      stem: `It is crashlooping. ${"Nothing of it. ".repeat(12)}`,
      name: `Its name is ${name}. ${"Nothing of it. ".repeat(4)} Again: ${name}.`,
    });

    expect((await found(query))[0]).toBe("name");
  });

  test.each([
    ["case_name", "The name of the case is long.", "The showcase_names of a hall."],
    ["onCall", "Who is on call tonight? Call them.", "The functionCall is traced."],
  ])(
    "[search.names.within] %s is not found as letters within a word",
    async (query, apart, within) => {
      expect((await (await library({ within, apart })).found(query))[0]).toBe("apart");
    },
  );

  test("[search.names.parts] a name whose parts are found is not read as another word", async () => {
    const { match } = await library({ ...names, typo: "the basename of a path" });

    expect(
      (await match("case_name")).flatMap(({ words }) => words.flatMap(({ read = [] }) => read)),
    ).toEqual([]);
  });

  test("[search.names.weak] JavaScript is found by java, after Java", async () => {
    const { found } = await library({
      script: { title: "JavaScript", text: "JavaScript JavaScript runs in browsers." },
      java: "A note that says Java once, among many other words of a longer sentence about it.",
    });

    expect(await found("java")).toEqual(["java", "script"]);
  });

  test.each([
    [":has(", "css"],
    ["CSS :has selector", "css"],
    [":not()", "not"],
    ["not() selector", "not"],
    ["--dry-run=server", "flag"],
    ["--dry-run", "flag"],
    ["(?<=", "regex"],
    ["C++", "cpp"],
    ["c#", "sharp"],
    ["F#", "fsharp"],
    ["g++", "compiler"],
    [".env", "env"],
    ["@media", "media"],
    ["?.", "chain"],
    ["=>", "arrow"],
    ["...", "spread"],
    ["!important", "bang"],
  ])("[search.symbols.found] %s finds its page", async (query, name) => {
    const { found } = await library({
      words:
        "It has not been run dry: the media, a server, c, f, g and env. Selector css selectors.",
      css: "The selector `:has()` takes a list: `a:has(> img)`.",
      not: "The selector `:not()` takes a list: `p:not(.x)`.",
      flag: "Use --dry-run=server to try it.",
      regex: "A lookbehind (?<=\\$)\\d matches digits.",
      cpp: "Written in C++ mostly.",
      sharp: "Written in C# mostly.",
      fsharp: "Written in F# mostly.",
      compiler: "Compile with g++ here.",
      env: "Put it into the file .env beside it.",
      media: "Rules of @media screens.",
      chain: "Optional chaining a?.b ends early.",
      arrow: "An arrow (a) => b is short.",
      spread: "Spread the values into a call: max(...values).",
      imports: "Imports: an import is important; importing imports.",
      bang: "A declaration with `!important` wins: `color: red !important`.",
    });

    expect((await found(query))[0]).toBe(name);
  });

  const statements = {
    loops: { title: "Loops", text: "A loop repeats. A while loop, a for loop: the loop of loops." },
    of: { title: "for...of", text: "Runs a loop over the values of an iterable." },
    while: { title: "do...while", text: "Creates a loop that is run at least once." },
    else: { title: "if...else", text: "A statement of JavaScript that runs when it is true." },
    statement: { title: "Statements", text: "A JavaScript statement; statements of JavaScript." },
    hamlet: "The question: to be, or not to be.",
    words: "Or is it not to be? It is to be, to be or to go, not to be or be.",
  };

  test.each([
    ["for of loop", "of"],
    ["do while loop", "while"],
    ["do while", "while"],
    ["if else statement javascript", "else"],
    ["to be or not to be", "hamlet"],
  ])("[search.function-words.decide] %s finds its page", async (query, name) => {
    expect((await (await library(statements)).found(query))[0]).toBe(name);
  });

  test("[search.function-words.explained] each word of a query is listed with its weight", async () => {
    const { match } = await library(statements);
    const [best] = await match("how to use the for of loop");
    const weights = new Map(best?.words.map(({ word, weight }) => [word, weight]));

    expect([...weights.keys()].toSorted()).toEqual([
      "for",
      "how",
      "loop",
      "of",
      "the",
      "to",
      "use",
    ]);
    expect(weights.get("of")).toBeGreaterThan(0);
    expect(weights.get("of")).toBeLessThan(weights.get("loop") ?? 0);
  });

  test("[search.proximity.order] neighbours come before words apart, and words apart by order", async () => {
    const { found } = await library({
      apart: `A node is there. ${"Nothing of it. ".repeat(12)} Now drain it, and more words are here.`,
      together: `Drain the node first. ${"Nothing of it. ".repeat(12)} Then more words are here.`,
      swapped: `The node drain is there. ${"Nothing of it. ".repeat(12)} Then more words are here.`,
    });

    expect(await found("drain a node")).toEqual(["together", "swapped", "apart"]);
  });

  test("[search.proximity.sentence] a pasted message finds the page that has it word by word", async () => {
    const error = "Error from server: unable to connect to the server, connection refused by peer";
    const { found } = await library({
      title: { title: "Server connection error", text: "Connect to a server. A peer refused it." },
      refused: { title: "Connection refused", text: "The server refused the connection; connect." },
      logs: `Many words stand before it in this long log of a day. ${"line ".repeat(80)} ${error}.`,
    });

    expect((await found(error))[0]).toBe("logs");
  });

  test("[search.positions.phrases] phrases are found when no passage can be read", async () => {
    const { match, store } = await library({ one: "a cold lamp", other: "lamp, cold" });
    await store.run(run("DELETE FROM search_passages WHERE document = 2"));

    expect(await match('"cold lamp"')).toHaveLength(1);
    await expect(match("cold lamp")).rejects.toThrow("damaged");
  });

  test("[search.scores.distinct] a title, a mention and a part of the query have scores apart", async () => {
    const long =
      "with many more words in a passage of about a usual length, so that it is no title";
    const { match } = await library({
      title: { title: "Lamp", text: `The lamp ${long}` },
      mention: `One lamp ${long}`,
    });
    const [title = 0, mention = 0] = (await match("lamp")).map(({ score }) => score);
    const [, part = 0] = (await match("lamp tower harbour")).map(({ score }) => score);

    expect(title).toBeGreaterThan(0.8);
    expect(mention).toBeGreaterThan(0.45);
    expect(mention).toBeLessThan(0.7);
    expect(part).toBeLessThan(0.4);
  });
});
