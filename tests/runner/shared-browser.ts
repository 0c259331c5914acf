import { chromium } from "playwright-core";
import { browserOptions, chromiumPath, sharedBrowserVariable } from "../journeys/browser.ts";

/** One Chromium for all test files; each test opens its own context in it. */
export default async function startSharedBrowser(): Promise<(() => Promise<void>) | undefined> {
  if (!chromiumPath) return undefined;
  const server = await chromium.launchServer(browserOptions());
  // The workers that run the tests are started later and inherit it.
  process.env[sharedBrowserVariable] = server.wsEndpoint();
  return () => server.close();
}
