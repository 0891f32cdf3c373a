import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { converse } from '../test/support/conversation.ts';
import { brandEntry, networkFile, property } from '../test/support/network.ts';
import { createPlainActivityStore } from '../test/support/plain-activity-store.ts';
import { startScriptedOperator } from '../test/support/scripted-operator.ts';
import { startTestService, type TestService } from '../test/support/test-service.ts';
import { createClient, mapConcurrently } from './client.ts';
import { median } from './median.ts';

/**
 * `node bench/recording.process.ts`: what counting for the owner's console adds to a step that is read, the cheapest request of a search,
 * and to one with a value. Three services in one thread, of which one counts and two do not: how far those two differ is what such a
 * measurement cannot see. Short slices of all three take turns, because a machine changes its speed more from second to second than
 * counting costs; processor time of the thread is compared. What was counted is handed to a store in memory at the end of each slice,
 * which is more often than once a second.
 */
const REQUESTS_IN_A_SLICE = 256;
const TURNS = 420;
const WARM_UP_TURNS = 60;
/** Who runs later finds the machine as the others have left it: each order comes as often as any other. */
const ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
] as const;
const CONNECTIONS = 16;
const SESSIONS = 64;

const KINDS = {
  read: 'step that is read',
  value: 'step with a value',
  place: 'place that is not on the network',
  day: 'day that is not on offer',
} as const;
type Kind = keyof typeof KINDS;
type Order = { readonly origin: string; readonly tokens: readonly string[]; readonly kind: Kind };

if (process.argv[2] === 'load') load();
else await measure();

/** In a process of its own, so that its work does not count. */
function load(): void {
  const clients = new Map<string, ReturnType<typeof createClient>>();
  let value = 0;
  process.on('message', async ({ origin, tokens, kind }: Order) => {
    const client = clients.get(origin) ?? createClient(origin, CONNECTIONS);
    clients.set(origin, client);
    value += 1;
    const requests = Array.from({ length: REQUESTS_IN_A_SLICE }, (_, at) => at);
    await mapConcurrently(requests, CONNECTIONS, (at) => {
      const path = `/ai/v1/search?session=${tokens[at % SESSIONS]}`;
      return kind === 'read'
        ? client.get(path)
        : client.post(path, bodyOf(kind, value + Math.floor(at / SESSIONS)));
    });
    process.send?.('done');
  });
}

/** Another one each time, as travellers have it, of which a session counts the first alone. */
function bodyOf(kind: Exclude<Kind, 'read'>, turn: number): Readonly<Record<string, string>> {
  switch (kind) {
    case 'value':
      return { check_in_month: `2027-0${4 + (turn % 3)}` };
    case 'place':
      return { destination: ['Atlantis', 'Avalon, Wales', 'El Dorado'][turn % 3] ?? never() };
    case 'day':
      return { check_in_day: `2029-0${1 + (turn % 3)}-01` };
  }
}

async function measure(): Promise<void> {
  const operator = await startScriptedOperator();
  operator.properties = [property('a'), property('b')];
  const settings = { rateLimit: 10_000_000 };
  const network = networkFile([brandEntry('acme', operator.origin)]);
  const services = [
    await startTestService({ network, settings }),
    await startTestService({ network, settings }),
    await startTestService({ network, settings, activity: createPlainActivityStore() }),
  ];
  const caller = fork(fileURLToPath(import.meta.url), ['load']);
  const sides = await Promise.all(services.map(prepared));
  for (const kind of Object.keys(KINDS) as Kind[]) {
    const turns: Turn[] = [];
    for (let turn = 0; turn < TURNS; turn += 1) {
      const used: Turn = [0, 0, 0];
      for (const side of ORDERS[turn % ORDERS.length] ?? never()) {
        used[side] = await slice(kind, sides[side] ?? never());
      }
      if (turn >= WARM_UP_TURNS) turns.push(used);
    }
    report(kind, turns);
  }
  caller.kill();
  for (const service of services) await service.close();
  await operator.close();

  async function slice(kind: Kind, { service, ...target }: Prepared): Promise<number> {
    const before = process.threadCpuUsage();
    caller.send({ ...target, kind } satisfies Order);
    await once(caller, 'message');
    await service.flushActivity();
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / REQUESTS_IN_A_SLICE;
  }
}

/** Microseconds that a request took in each service; the last one counts. */
type Turn = [number, number, number];
type Prepared = Omit<Order, 'kind'> & { readonly service: TestService };

async function prepared(service: TestService): Promise<Prepared> {
  const tokens: string[] = [];
  for (let at = 0; at < SESSIONS; at += 1) {
    const conversation = await converse(service);
    await conversation.send({ destination: 'lisbon-pt' });
    tokens.push(conversation.token);
  }
  return { service, tokens, origin: await service.listen() };
}

function report(kind: Kind, turns: readonly Turn[]): void {
  const without = median(turns.map(([one, other]) => (one + other) / 2));
  const counted = median(turns.map(([, , counting]) => counting));
  const ratio = median(turns.map(([one, other, counting]) => counting / ((one + other) / 2)));
  const unseen = median(turns.map(([one, other]) => other / one));
  process.stdout.write(
    `${KINDS[kind]}: ${without.toFixed(1)} µs without, ${counted.toFixed(1)} µs with; ` +
      `median of the ratios of ${turns.length} turns ${ratio.toFixed(3)}, of two without ${unseen.toFixed(3)}\n`,
  );
}

function never(): never {
  throw new Error('there are three sides, and six orders of them');
}
