import { homedir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { homeVariables, readSettings, type SettingsFlags } from "./settings.ts";

const read = (flags: SettingsFlags = {}, env: Record<string, string | undefined> = {}) =>
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

test("[core.settings.home] LECTERN_HOME isolates all state", () => {
  expect(read({}, { LECTERN_HOME: "/home/of/lectern", XDG_DATA_HOME: "/elsewhere" })).toMatchObject(
    {
      configFolder: "/home/of/lectern",
      dataFolder: "/home/of/lectern",
    },
  );
});

test("otherwise the platform's standard folders are used", () => {
  const { configFolder, dataFolder } = read({}, {});
  expect(configFolder.startsWith(homedir())).toBe(true);
  expect(dataFolder.startsWith(homedir())).toBe(true);
  if (process.platform !== "linux") return;
  expect(read({}, { XDG_CONFIG_HOME: "/c", XDG_DATA_HOME: "/d" })).toMatchObject({
    configFolder: join("/c", "lectern"),
    dataFolder: join("/d", "lectern"),
  });
});

test("flag paths are relative to the current folder, and shelves are comma-separated", () => {
  expect(read({ root: "docs", forceRoot: "..", shelves: "search, review" })).toMatchObject({
    root: "/srv/docs",
    forceRoot: "/",
    shelves: ["search", "review"],
  });
});

test("[core.settings.log-level] the flag overrides the environment, and an unknown level is refused", () => {
  expect(read({ logLevel: "DEBUG" }, { LECTERN_LOG_LEVEL: "error" }).logLevel).toBe("debug");
  expect(read({}, { LECTERN_LOG_LEVEL: "warning" }).logLevel).toBe("warn");
  expect(() => read({ logLevel: "loud" })).toThrow("Unknown level 'loud' in --log-level.");
});

test("[core.settings.deadline] the time limit is an integer in milliseconds", () => {
  expect(read({}, { LECTERN_TOOL_TIMEOUT_MS: "500" }).timeLimit).toBe(500);
  expect(read({}, { LECTERN_TOOL_TIMEOUT_MS: "" }).timeLimit).toBe(30_000);
  for (const value of ["0", "-1", "1.5", "soon", "99999999999", "NaN"]) {
    expect(() => read({}, { LECTERN_TOOL_TIMEOUT_MS: value })).toThrow("LECTERN_TOOL_TIMEOUT_MS");
  }
});

test("[core.settings.force-root] a force root that does not exist is refused at startup", () => {
  const read = () => readSettings({ forceRoot: "/nowhere/at/all" }, {}, "/");

  expect(read).toThrow("--force-root");
});

test("[core.settings.empty-force-root] an empty force root is refused, not read as the current folder", () => {
  for (const forceRoot of ["", " "]) {
    expect(() => read({ forceRoot }), JSON.stringify(forceRoot)).toThrow(
      "The folder of --force-root is empty",
    );
  }
});

test("network access needs an explicit yes", () => {
  const allowed = (value?: string) => read({}, { LECTERN_ALLOW_NETWORK: value }).allowNetwork;
  expect([undefined, "", "0", "no", "false"].map(allowed)).toEqual(Array(5).fill(false));
  expect(["1", "yes", "TRUE", "on"].map(allowed)).toEqual(Array(4).fill(true));
  expect(() => allowed("links")).toThrow("LECTERN_ALLOW_NETWORK");
});

test("[scale.home.folder] a home in PostgreSQL has a folder of its own on this machine", () => {
  const folderOf = (home: string) => read({}, { LECTERN_HOME: home }).dataFolder;
  const settings = read({}, { LECTERN_HOME: "postgresql://u:secret@db1,db2/x?schema=team" });
  expect(settings).toMatchObject({
    database: { schema: "team" },
    configFolder: settings.dataFolder,
  });
  expect(settings.dataFolder).toMatch(/servers[\\/]team-[0-9a-f]{10}$/);
  expect(folderOf("postgresql://other:word@db1,db2/x?schema=team")).toBe(settings.dataFolder);
  expect(folderOf("postgresql://u@db1,db2/y?schema=team")).not.toBe(settings.dataFolder);
});

test("[scale.home.written] the password of a database is not written to files of other programs", () => {
  const home = "postgresql://u:secret@db1/x?schema=team";
  expect(homeVariables({ LECTERN_HOME: home })).toEqual({
    LECTERN_HOME: "postgresql://u@db1/x?schema=team",
  });
});
