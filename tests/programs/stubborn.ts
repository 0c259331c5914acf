/** A program that neither the end of its input nor a polite signal can end. */
process.on("SIGTERM", () => {});
process.stdin.resume();
process.stdout.write('{"jsonrpc":"2.0","method":"notifications/stubborn"}\n');
setInterval(() => {}, 60_000);
