/** Loaded into the service by `start.ts`: closes the service when the starter has ended, even if it was killed. */
const MAX_CLOSING_MS = 30_000;

process.on('disconnect', () => {
  setTimeout(() => process.exit(1), MAX_CLOSING_MS).unref();
  process.kill(process.pid, 'SIGTERM');
});
// The channel to the starter must not keep a service alive that has closed.
process.channel?.unref();
