import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { formatDay } from '../../src/stay/day.ts';
import { numbersFrom } from '../durability/workload.ts';
import { brandEntry, networkFile, property } from '../support/network.ts';
import { ASSISTANT_ADDRESSES, type NodeCluster, startNodeCluster } from '../support/node-cluster.ts';
import { startRoundRobinProxy } from '../support/round-robin-proxy.ts';
import { type ScriptedOperator, startScriptedOperator } from '../support/scripted-operator.ts';
import { FAULT_NAMES, FAULTS, type FaultName, type StoppableServer } from './faults.ts';
import { noSightings, type Sightings, travel } from './traveller.ts';

export type FaultRun = {
  readonly seed: number;
  /** How many faults, one after the other. Every kind comes once before one comes again. */
  readonly faults: number;
  readonly travellers: number;
  readonly redis: StoppableServer & { readonly url: string; forgetEverything(): Promise<void> };
  readonly postgres: StoppableServer & {
    readonly url: string;
    /** The identifiers in the ledger. */
    issuedQuotes(): Promise<ReadonlySet<string>>;
  };
  readonly tell: (line: string) => void;
};

export type FaultFigures = Omit<Sightings, 'quotes'> & {
  readonly quotes: number;
  /** The longest time from the end of a fault of this kind, its repair included, until every node served again, in milliseconds. */
  readonly recoveryMs: ReadonlyMap<FaultName, number>;
};

const NODES = 2;
const TODAY = Math.floor(Date.now() / 86_400_000);
const STAY = {
  checkIn: formatDay(TODAY + 20),
  checkOuts: [22, 23, 24, 25].map((day) => formatDay(TODAY + day)),
};
const MIN_FAULT_MS = 500;
const MAX_FAULT_MS = 3000;
const GIVE_UP_MS = 60_000;

/** Travellers search without a pause while one thing after the other goes wrong. Throws at the first thing that must not happen. */
export async function runFaults(run: FaultRun): Promise<FaultFigures> {
  const random = numbersFrom(run.seed);
  const operator = await startOperator();
  const cluster = await startNodeCluster({
    nodes: NODES,
    network: networkFile([brandEntry('acme', operator.origin)]),
    postgresUrl: run.postgres.url,
    redisUrl: run.redis.url,
    // Travellers ask without a pause, and strangers with them.
    env: { STAYWIRE_LOG_LEVEL: 'warn', STAYWIRE_RATE_LIMIT: '1000000' },
  });
  const proxy = await startRoundRobinProxy(cluster.origins);
  const seen = noSightings();
  const recoveryMs = new Map<FaultName, number>();
  const stopping = new AbortController();
  const failing = Promise.withResolvers<never>();
  failing.promise.catch(() => {});
  let forgottenAt = Number.NEGATIVE_INFINITY;

  async function travelAgainAndAgain(traveller: number): Promise<void> {
    const [address, stranger] = traveller % 2 === 0 ? ASSISTANT_ADDRESSES : ASSISTANT_ADDRESSES.toReversed();
    const ownRandom = numbersFrom(run.seed * 1000 + traveller);
    for (let journey = 0; !stopping.signal.aborted; journey += 1) {
      await travel({
        origin: proxy.origin,
        address: address ?? '',
        stranger: stranger ?? '',
        name: `traveller-${traveller}-${journey}`,
        stay: STAY,
        random: ownRandom,
        seen,
        mayBeForgotten: (openedAt) => openedAt <= forgottenAt,
      });
    }
  }

  const travelling = Array.from({ length: run.travellers }, (_, traveller) => travelAgainAndAgain(traveller));
  for (const one of travelling) one.catch(failing.reject);
  const orFailure = <Value>(work: Promise<Value>) => Promise.race([work, failing.promise]);
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(random() * items.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  };

  try {
    const names = Array.from({ length: Math.ceil(run.faults / FAULT_NAMES.length) }, () =>
      shuffled(FAULT_NAMES, random),
    );
    for (const name of names.flat().slice(0, run.faults)) {
      const fault = FAULTS[name]({ nodes: cluster.nodes, redis: run.redis, postgres: run.postgres, pick });
      const lastsMs = MIN_FAULT_MS + random() * (MAX_FAULT_MS - MIN_FAULT_MS);
      await orFailure(fault.begin());
      await orFailure(wait(lastsMs));
      const endedAt = performance.now();
      await orFailure(fault.end());
      await orFailure(untilAllServe(cluster));
      const tookMs = performance.now() - endedAt;
      recoveryMs.set(name, Math.max(tookMs, recoveryMs.get(name) ?? 0));
      run.tell(`${name} for ${Math.round(lastsMs)} ms: all served again after ${Math.round(tookMs)} ms`);
      await orFailure(wait(300));
    }
    await orFailure(run.redis.forgetEverything());
    forgottenAt = performance.now();
    await orFailure(untilAllServe(cluster));
    await orFailure(wait(1000));
    stopping.abort();
    await orFailure(Promise.all(travelling));
    await untilInLedger(seen.quotes, run.postgres.issuedQuotes);
    const { quotes, ...counts } = seen;
    return { ...counts, quotes: quotes.size, recoveryMs };
  } catch (fault) {
    for (const node of cluster.nodes) await node.kill();
    for (const node of cluster.nodes) run.tell(`${node.name} said:\n${node.output()}`);
    throw fault;
  } finally {
    stopping.abort();
    await Promise.allSettled(travelling);
    await proxy.close();
    await cluster.close();
    await operator.close();
  }
}

async function startOperator(): Promise<ScriptedOperator> {
  const operator = await startScriptedOperator();
  const periods = [
    { from: formatDay(TODAY - 1), to: formatDay(TODAY + 90), available: true, price: '50.00' },
  ];
  operator.properties = [
    // An amenity that not all have, so that results offer addresses, which tell the revision of the session.
    property('a', { amenities: { wifi: 'Wi-Fi', pool: 'Pool' } }, periods),
    property('b', {}, periods),
    property('c', {}, periods),
  ];
  return operator;
}

/** Until every node, asked directly, opens a session and takes a step. */
async function untilAllServe(cluster: NodeCluster): Promise<void> {
  const startedAt = performance.now();
  for (const { origin, name } of cluster.nodes) {
    while (!(await serves(origin()))) {
      assert.ok(performance.now() - startedAt < GIVE_UP_MS, `${name} does not serve again`);
      await wait(50);
    }
  }
}

/** As an assistant that calls through a proxy. */
async function serves(origin: string | undefined): Promise<boolean> {
  if (origin === undefined) return false;
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': ASSISTANT_ADDRESSES[0] };
  const post = async (path: string, values: object) => {
    const answer = await fetch(`${origin}${path}`, { method: 'POST', headers, body: JSON.stringify(values) });
    // biome-ignore lint/suspicious/noExplicitAny: a JSON body of unknown shape is what a client gets.
    return (await answer.json()) as any;
  };
  try {
    const { session } = await post('/ai/v1/auth', {});
    const step = await post(`/ai/v1/search?session=${session}`, { destination: 'lisbon-pt' });
    return step.error === 'incomplete_payload';
  } catch {
    return false;
  }
}

async function untilInLedger(
  shown: ReadonlySet<string>,
  issuedQuotes: () => Promise<ReadonlySet<string>>,
): Promise<void> {
  const until = performance.now() + GIVE_UP_MS;
  for (;;) {
    const issued = await issuedQuotes();
    const missing = [...shown].filter((nxq) => !issued.has(nxq));
    if (missing.length === 0) return;
    assert.ok(performance.now() < until, `${missing.length} quotes that were shown are in no ledger`);
    await wait(200);
  }
}

function shuffled<Item>(items: readonly Item[], random: () => number): readonly Item[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
}
