/** The environment variables that the program reads. */
export const environmentVariables: readonly (readonly [name: string, meaning: string])[] = [
  ["LECTERN_HOME", "Folder for configuration, index, models and logs, or a postgresql:// address."],
  ["LECTERN_LOG_LEVEL", "Minimum log level, if --log-level is not given."],
  [
    "LECTERN_TOOL_TIMEOUT_MS",
    "Time limit of calls over MCP and HTTP in milliseconds (default 30000).",
  ],
  ["LECTERN_ALLOW_NETWORK", "1 lets link checks send requests to the web (default 0)."],
  ["LECTERN_TOKEN", "Bearer token that a server requires and that --mode server sends."],
  ["VISUAL, EDITOR", "The editor that --open starts."],
  [
    "LECTERN_EDITOR_URI",
    "Address that a click on a result opens, such as vscode://file{path}:{line}.",
  ],
  ["DEBUG", "Topics to trace on stderr: mcp:protocol, mcp:*, lectern:*."],
  ["NO_COLOR", "If not empty, disables colour."],
  ["FORCE_COLOR", "If not empty, enables colour even in a pipe; 0 disables it."],
];
