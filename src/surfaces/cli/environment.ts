/** The variables that the program looks at. */
export const environment: readonly (readonly [name: string, meaning: string])[] = [
  ["LECTERN_HOME", "One folder for everything: configuration, index, models and logs."],
  ["LECTERN_LOG_LEVEL", "Least level of what is logged, where --log-level is absent."],
  ["LECTERN_TOOL_TIMEOUT_MS", "Milliseconds an agent's or a program's call may take; 30000."],
  ["LECTERN_ALLOW_NETWORK", "1 lets link checks ask addresses of the web; 0."],
  ["LECTERN_TOKEN", "The token that a server asks for, and that --mode server shows it."],
  ["DEBUG", "Traces on stderr by topic: mcp:protocol, mcp:*, lectern:*."],
  ["NO_COLOR", "Where it is not empty, no colour."],
  ["FORCE_COLOR", "Where it is not empty, colour even when piped; 0 means none."],
];
