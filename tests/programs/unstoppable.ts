/** A program that ignores the end of its input and termination signals. */
process.on("SIGTERM", () => {});
process.stdin.resume();
process.stdout.write('{"jsonrpc":"2.0","method":"notifications/stubborn"}\n');
setInterval(() => {}, 60_000);
