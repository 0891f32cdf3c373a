import { MAX_CONSOLE_CONNECTIONS } from '../console/build-console.ts';
import { MAX_METRICS_CONNECTIONS } from '../telemetry/metrics-server.ts';

/** The part of the file descriptors that callers may use. The rest is for operators, the store and the log. */
const SHARE_OF_DESCRIPTORS = 0.75;
const OF_OTHER_PORTS = MAX_CONSOLE_CONNECTIONS + MAX_METRICS_CONNECTIONS;

/** As many as configured, but no more than the limit of open files (`ulimit -n`) allows: without descriptors a server is deaf. */
export function affordableConnections(configured: number, maxOpenFiles = openFilesLimit()): number {
  return Math.min(
    configured,
    Math.max(1, Math.floor((maxOpenFiles - OF_OTHER_PORTS) * SHARE_OF_DESCRIPTORS)),
  );
}

/** Infinity where the system has no such limit. */
function openFilesLimit(): number {
  const report: unknown = process.report.getReport();
  const { userLimits } = report as { userLimits?: { open_files?: { soft?: number | string } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : Number.POSITIVE_INFINITY;
}

const CHECK_EVERY_MS = 250;

/**
 * npm passes a signal to the shell in which it runs a script, and many shells die of it without passing it on. A program that
 * npm has started therefore has to notice by itself that its parent is gone.
 */
export function whenNpmEnds(action: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    action();
  }, CHECK_EVERY_MS);
  timer.unref();
}
