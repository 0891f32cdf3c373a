import { parseArgs } from 'node:util';
import { pauseFor, systemClock } from '../../src/clock.ts';
import { DEFAULT_SERVICE } from '../service-settings.ts';
import { playTraffic } from './play-traffic.ts';
import { summaryText, type Tally, totalOf } from './tally.ts';
import { createTrafficClient, isOnThisMachine } from './traffic-client.ts';

/** `npm run demo:traffic`: plays travellers and their assistants against a demo that `npm start` runs. */
const AT_ONCE = 32;
const PROGRESS_EVERY_MS = 5000;
const MAX_STARTING_MS = 60_000;
const HELP = `Plays sessions of several assistants against the demo that npm start runs.

  npm run demo:traffic -- [--sessions 2000] [--seed demo] [--service ${DEFAULT_SERVICE}]

The same seed plays the same wishes.`;

const stopping = new AbortController();
process.on('SIGINT', () => stopping.abort());
process.on('SIGTERM', () => stopping.abort());

const { sessions, seed, service } = readOptions();
const client = createTrafficClient({
  service,
  connections: AT_ONCE * 2,
  clock: systemClock,
  signal: stopping.signal,
});
try {
  await untilReady();
  const startedAt = systemClock.elapsed();
  let saidAt = startedAt;
  const onPlayed = (tally: Tally) => {
    if (systemClock.elapsed() - saidAt < PROGRESS_EVERY_MS) return;
    saidAt = systemClock.elapsed();
    console.log(
      `${totalOf(tally, 'sessions') + totalOf(tally, 'refusedOpenings')} of ${sessions} sessions, ${totalOf(tally, 'results')} results, ${totalOf(tally, 'bookings')} bookings`,
    );
  };
  const tally = await playTraffic({ client, sessions, seed, atOnce: AT_ONCE, clock: systemClock, onPlayed });
  if (totalOf(tally, 'sessions') === 0) {
    fail(
      `The service at ${service} lets none of the demo’s assistants in. Start it with npm start, without STAYWIRE_ASSISTANTS and STAYWIRE_TRUSTED_NETWORKS, or approve them again.`,
    );
  }
  console.log(`\n${summaryText(tally, (systemClock.elapsed() - startedAt) / 1000)}`);
} catch (error) {
  if (stopping.signal.aborted) fail('Interrupted. What was played so far stays counted.', 130);
  fail(`The service at ${service} has stopped answering: ${error instanceof Error ? error.message : error}`);
} finally {
  await client.close();
}

function readOptions(): { readonly sessions: number; readonly seed: string; readonly service: string } {
  try {
    const { values } = parseArgs({
      options: {
        sessions: { type: 'string', default: '2000' },
        seed: { type: 'string', default: 'demo' },
        service: { type: 'string', default: DEFAULT_SERVICE },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) {
      console.log(HELP);
      process.exit(0);
    }
    const count = Number(values.sessions);
    if (!Number.isInteger(count) || count < 1 || count > 1_000_000)
      return fail('--sessions must be a whole number from 1 to 1000000.');
    // The traffic books stays, so it must never leave this machine.
    if (!isOnThisMachine(values.service))
      return fail('--service must be a demo on this machine, such as http://127.0.0.1:8080.');
    return { sessions: count, seed: values.seed, service: new URL(values.service).origin };
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : error}\n\n${HELP}`);
  }
}

/** A starting demo reads its operators before it is ready. */
async function untilReady(): Promise<void> {
  const until = systemClock.elapsed() + MAX_STARTING_MS;
  for (;;) {
    const answer = await fetch(`${service}/readyz`).catch(() => null);
    await answer?.body?.cancel();
    if (answer?.status === 200) return;
    if (!answer) fail(`No service answers at ${service}. Start the demo in another terminal: npm start`);
    if (systemClock.elapsed() > until) fail(`The service at ${service} is not ready. Look at what it says.`);
    await pauseFor(500, systemClock, stopping.signal);
    stopping.signal.throwIfAborted();
  }
}

function fail(message: string, code = 1): never {
  console.error(message);
  process.exit(code);
}
