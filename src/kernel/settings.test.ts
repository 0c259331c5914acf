import { homedir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Flags, readSettings } from "./settings.ts";

const read = (flags: Flags = {}, env: Record<string, string | undefined> = {}) =>
  readSettings(flags, env, "/srv");

test("without flags everything has its default", () => {
  expect(read()).toMatchObject({
    root: "/srv",
    forceRoot: undefined,
    shelves: undefined,
    readOnly: false,
    logLevel: "info",
    timeLimit: 30_000,
  });
});

test("[house.settings.home] LECTERN_HOME isolates everything", () => {
  expect(read({}, { LECTERN_HOME: "/home/of/lectern", XDG_DATA_HOME: "/elsewhere" })).toMatchObject(
    {
      configFolder: "/home/of/lectern",
      dataFolder: "/home/of/lectern",
    },
  );
});

test("without it the platform's own folders are used", () => {
  const { configFolder, dataFolder } = read({}, {});
  expect(configFolder.startsWith(homedir())).toBe(true);
  expect(dataFolder.startsWith(homedir())).toBe(true);
  if (process.platform !== "linux") return;
  expect(read({}, { XDG_CONFIG_HOME: "/c", XDG_DATA_HOME: "/d" })).toMatchObject({
    configFolder: join("/c", "lectern"),
    dataFolder: join("/d", "lectern"),
  });
});

test("paths of flags start at the current folder, and shelves are parted by commas", () => {
  expect(read({ root: "docs", forceRoot: "..", shelves: "search, desk" })).toMatchObject({
    root: "/srv/docs",
    forceRoot: "/",
    shelves: ["search", "desk"],
  });
});

test("[house.settings.log-level] the flag wins over the environment, and an unknown level is refused", () => {
  expect(read({ logLevel: "DEBUG" }, { LECTERN_LOG_LEVEL: "error" }).logLevel).toBe("debug");
  expect(read({}, { LECTERN_LOG_LEVEL: "warning" }).logLevel).toBe("warn");
  expect(() => read({ logLevel: "loud" })).toThrow("Unknown level 'loud' in --log-level.");
});

test("[house.settings.deadline] the time limit is a whole number of milliseconds", () => {
  expect(read({}, { LECTERN_TOOL_TIMEOUT_MS: "500" }).timeLimit).toBe(500);
  expect(read({}, { LECTERN_TOOL_TIMEOUT_MS: "" }).timeLimit).toBe(30_000);
  for (const value of ["0", "-1", "1.5", "soon", "99999999999", "NaN"]) {
    expect(() => read({}, { LECTERN_TOOL_TIMEOUT_MS: value })).toThrow("LECTERN_TOOL_TIMEOUT_MS");
  }
});

test("[house.settings.force-root] a force root that is not there is refused at once", () => {
  const read = () => readSettings({ forceRoot: "/nowhere/at/all" }, {}, "/");

  expect(read).toThrow("--force-root");
});

test("[house.settings.empty-force-root] an empty force root is refused, and is not the current folder", () => {
  for (const forceRoot of ["", " "]) {
    expect(() => read({ forceRoot }), JSON.stringify(forceRoot)).toThrow(
      "given by --force-root is empty",
    );
  }
});

test("the network is allowed by a clear word only", () => {
  const allowed = (value?: string) => read({}, { LECTERN_ALLOW_NETWORK: value }).allowNetwork;
  expect([undefined, "", "0", "no", "false"].map(allowed)).toEqual(Array(5).fill(false));
  expect(["1", "yes", "TRUE", "on"].map(allowed)).toEqual(Array(4).fill(true));
  expect(() => allowed("links")).toThrow("LECTERN_ALLOW_NETWORK");
});
