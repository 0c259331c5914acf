import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath, openBrowser, visit, waitForText } from "../browser.ts";
import { freshHome, runProgram, type Served, startServer } from "../program.ts";

const act = "window.hacked=1";
const image = `<img src=x onerror="${act}">`;

/** Hostile file names and texts. Each starts with a common word, by which all are found. */
const documents: Record<string, string> = {
  "links.md": `# Quokka ${image}

[a](javascript:${act}) [b](JaVaScRiPt:${act}) [c](java&#x73;cript:${act}) [d](  javascript:${act})
[e](data:text/html,<script>${act}</script>) [f](vbscript:x) <javascript:${act}> [g][ref]
![h](javascript:${act}) ![i](data:image/svg+xml,<svg/onload=${act}>) ![j](https://evil.example/x.png)
[k](\\javascript:${act}) [l](%6aavascript:${act}) [m](//evil.example/) [n](../../../etc/passwd)
[o](blob:https://x/1) [p](file:///etc/passwd) [q](links.md" onmouseover="${act})

[ref]: javascript:${act}
`,
  "html.md": `---
title: 'Quokka <script>${act}</script>'
tags: ["${image.replaceAll('"', "'")}"]
"><svg onload=${act}>: x
---
Quokka

<script>${act}</script>
<iframe src="javascript:${act}"></iframe>
<svg onload=${act}><a xlink:href="javascript:${act}"><text>x</text></a></svg>
<style>@import "https://evil.example/x.css";</style>
<form action="javascript:${act}"><button>go</button></form>
<a href="javascript:${act}">x</a> <base href="https://evil.example/">

Text ${image} and <svg/onload=${act}> \`${image}\` **${image}** [[#${image}]] [^${act}]

| ${image} | <b onclick=${act}> |
|---|---|
| [x](javascript:${act}) | ${image} |

\`\`\`<img/src=x/onerror=${act}>
</code></pre>${image}
\`\`\`

[^${act}]: ${image}

## <img/src=x/onerror=${act}>

&lt;img src=x onerror=${act}&gt; \u202eevil\u202c
`,
  "page.html": `<title>Quokka ${image}</title><body onload="${act}"><p>Quokka ${image}<script>${act}</script>
<a href="javascript:${act}">click</a></p>`,
  "drawing.svg": `<svg xmlns="http://www.w3.org/2000/svg" onload="${act}"><script>${act}</script><text>Quokka</text></svg>`,
  "<img src=x onerror=window.hacked=1>.md": "Quokka in a name",
  "a & b #1 100% \"'><svg onload=window.hacked=1>.md": "Quokka [x](links.md)",
};

describe.runIf(chromiumPath)("hostile documents in a browser", () => {
  let browser: Browser;
  let server: Served;

  beforeAll(async () => {
    const home = freshHome();
    const folder = join(home, "bad");
    mkdirSync(folder);
    for (const [name, text] of Object.entries(documents)) writeFileSync(join(folder, name), text);
    const args = ["collection", "add", folder, "--mask", "**/*"];
    expect(await runProgram(args, { home })).toMatchObject({ code: 0 });
    const addContext = ["context", "add", "bad", `Said of it: ${image}`];
    expect(await runProgram(addContext, { home })).toMatchObject({ code: 0 });
    [server, browser] = await Promise.all([startServer(home), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  test("[web.reader.hostile] nothing in a document or its name runs or makes a request", async () => {
    const { page, consoleErrors } = await visit(browser, `${server.url}/?q=quokka`);
    await waitForText(page, `${Object.keys(documents).length} results`);
    await page.getByText("Filters", { exact: true }).click();
    await page.getByLabel("Type").waitFor();
    await page.locator(".reasons summary").first().click();
    await page.locator(".preview .text").waitFor();
    await isHarmless(page);
    const files = await page.locator(".result .file").allTextContents();
    expect(files.toSorted()).toEqual(
      Object.keys(documents)
        .map((name) => `bad/${name}`)
        .toSorted(),
    );

    for (const file of files) {
      for (const part of ["", "&part=source"]) {
        await page.goto(`${server.url}/?q=quokka${part}&open=${encodeURIComponent(file)}`);
        await page.locator(".reader .text").getByText("Quokka").first().waitFor();
        expect(await page.locator(".reader > header .file").textContent()).toBe(file);
        await isHarmless(page);
      }
    }
    // The palette lists recent documents by name.
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").waitFor();
    await isHarmless(page);

    await page.goto(`${server.url}/?open=bad/links.md`);
    await page.locator(".reader .prose").waitFor();
    for (const link of await page.locator(".reader .prose a, .reader .prose span").all()) {
      const href = (await link.getAttribute("href")) ?? "";
      if (!href.startsWith("http")) await link.click({ force: true, noWaitAfter: true });
      await page.goto(`${server.url}/?open=bad/links.md`);
      await page.locator(".reader .prose").waitFor();
      await isHarmless(page);
    }
    expect(consoleErrors.filter((args) => !args.includes("404"))).toEqual([]);
  });
});

/**
 * Expects that no script has run, no element of a document was inserted, and no link runs a script.
 */
async function isHarmless(page: Page): Promise<void> {
  const found = await page.evaluate(inspectPage);
  expect(found).toEqual({ hacked: false, elements: [], handlers: [], links: [] });
}

const inspectPage = `({
  hacked: "hacked" in window,
  elements: [
    ...document.body.querySelectorAll("script, img, iframe, svg, style, base, form[action], object"),
  ].map(({ outerHTML }) => outerHTML),
  handlers: [...document.body.querySelectorAll("*")].flatMap(({ attributes }) =>
    [...attributes].map(({ name }) => name).filter((name) => name.startsWith("on")),
  ),
  links: [...document.body.querySelectorAll("a[href]")]
    .map(({ href, protocol }) => ({ href, protocol }))
    .filter(({ protocol }) => !["http:", "https:", "mailto:"].includes(protocol)),
})`;
