/**
 * Loaded into the service by `start.ts`: when the starter is gone, however it went, the service is asked to close.
 * The channel to the starter does not keep the service alive by itself.
 */
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
