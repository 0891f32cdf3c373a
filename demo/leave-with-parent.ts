/**
 * Loaded into the service by `start.ts`: when the starter is gone, however it went, the service is asked to close.
 * The channel to the starter does not keep the service alive by itself.
 */
const MAX_GOODBYE_MS = 30_000;

process.on('disconnect', () => {
  setTimeout(() => process.exit(1), MAX_GOODBYE_MS).unref();
  process.kill(process.pid, 'SIGTERM');
});
process.channel?.unref();
