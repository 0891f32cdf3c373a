import { createAccessGate } from '../src/access/access-gate.ts';
import type { CallerFacts } from '../src/access/caller-facts.ts';
import { type Algorithm, isSignedBy, signBase } from '../src/access/signatures/keys.ts';
import { directoryOf } from '../src/access/signatures/signature-headers.ts';
import { systemClock } from '../src/clock.ts';
import { accessListOf } from '../test/support/access-list-of.ts';
import { registryOf } from '../test/support/registry-of.ts';
import { createSignatureScene, SCENE_AGENT, signedFacts } from '../test/support/signature-scene.ts';
import { newSigningKey } from '../test/support/signing-key.ts';
import type { BenchReport } from './document/bench-report.ts';
import { type Figure, figure } from './document/figure.ts';
import { duration } from './document/quantities.ts';
import { median } from './median.ts';

/** A way of being judged, and what it is compared with in the same run. */
type GateWay = {
  readonly what: string;
  readonly baseline: { readonly name: string; readonly work: Work } | null;
  readonly work: Work;
};

/** Prepares so many requests, and returns what puts them through. Only the latter is measured. */
type Work = (requests: number) => () => Promise<void>;

type Slices = {
  readonly slices: number;
  readonly warmUpSlices: number;
  /** In a slice, or as many more as it takes to make it as long as this. */
  readonly requests: number;
  readonly milliseconds: number;
};

const ALGORITHMS: readonly Algorithm[] = ['ed25519', 'ecdsa-p256-sha256', 'rsa-pss-sha512'];
const APPROVED = { name: 'Bench', status: 'approved' };
const PUBLISHED_RANGES = 10_000;
/** Systems count processor time in ticks of some milliseconds. */
const MIN_SLICE_MS = 150;
/** As long as what a signature of ours covers. */
const COVERED_TEXT = 'x'.repeat(420);

/** What it costs to tell who calls, by the way in which the caller is recognised: processor time of one request. */
export async function addGate(
  report: BenchReport,
  { isQuick }: { readonly isQuick: boolean },
): Promise<void> {
  const slices = isQuick
    ? { slices: 1, warmUpSlices: 0, requests: 5, milliseconds: 0 }
    : { slices: 9, warmUpSlices: 3, requests: 200, milliseconds: MIN_SLICE_MS };
  for (const way of [...ALGORITHMS.flatMap(signatureWays), ...waysByAddress()]) {
    report.add('gate', [await measure(way, slices)]);
  }
}

/** Through the whole gate, with ten thousand published networks. A caller that was judged a moment ago is remembered. */
function waysByAddress(): readonly GateWay[] {
  const gate = createAccessGate({
    accessList: accessListOf(
      registryOf(
        { ...APPROVED, id: 'ranges', recognised_by: [{ user_agent: 'Ranges-User', ranges: manyRanges() }] },
        {
          ...APPROVED,
          id: 'names',
          recognised_by: [{ user_agent: 'Named-User', reverse_dns: ['named.example'] }],
        },
        { ...APPROVED, id: 'network', recognised_by: [{ network: ['172.16.0.0/12'] }] },
      ),
    ),
    trustedProxies: [],
    resolver: { reverse: async () => ['a.named.example'], forward: async () => ['198.51.100.5'] },
    clock: systemClock,
  });
  const callFrom = (peerAddress: string, userAgent: string): CallerFacts => ({
    peerAddress,
    method: 'GET',
    target: '/ai/v1/schema',
    headers: { host: 'stays.example', 'user-agent': userAgent, accept: 'application/json' },
  });
  const all = (expected: string, facts: readonly CallerFacts[]) => async () => {
    for (const one of facts) {
      const decision = await gate(one);
      const found = decision.kind === 'approved' ? decision.way : decision.cause;
      if (found !== expected) throw new Error(`the gate found ${found} instead of ${expected}`);
    }
  };
  let serial = 0;
  const fromMany = (expected: string, userAgent: string, network: string): Work => {
    return (requests) =>
      all(
        expected,
        Array.from({ length: requests }, () => {
          serial += 1;
          // The first half of each thirty-two addresses is in a published network.
          const address = `${network}.${(serial >> 4) & 255}.${serial & 15}`;
          return callFrom(address, `${userAgent}/1.${serial}`);
        }),
      );
  };
  const fromOne = (expected: string, userAgent: string, address: string): Work => {
    return (requests) => {
      const facts = callFrom(address, `${userAgent}/1.0`);
      return all(
        expected,
        Array.from({ length: requests }, () => facts),
      );
    };
  };
  const inRange = fromMany('ranges', 'Ranges-User', '10.0');
  const inNetwork = fromMany('network', 'curl', '172.16');
  return [
    { what: 'ranges, a new caller', work: inRange, baseline: null },
    {
      what: 'ranges, a caller that is known',
      work: fromOne('ranges', 'Ranges-User', '10.0.1.1'),
      baseline: { name: 'a new caller', work: inRange },
    },
    {
      what: 'reverse DNS, a name that is confirmed',
      work: fromOne('reverse_dns', 'Named-User', '198.51.100.5'),
      baseline: { name: 'ranges, a new caller', work: inRange },
    },
    { what: 'network, a new caller', work: inNetwork, baseline: null },
    {
      what: 'network, a caller that is known',
      work: fromOne('network', 'curl', '172.16.1.1'),
      baseline: { name: 'a new caller', work: inNetwork },
    },
    { what: 'a stranger, a new one', work: fromMany('unknown_caller', 'curl', '192.168'), baseline: null },
  ];
}

/** Every second network of this size, so that none of them can be joined with another. */
function manyRanges(): readonly string[] {
  return Array.from({ length: PUBLISHED_RANGES }, (_, at) => {
    const first = (10 << 24) + at * 32;
    return `${first >>> 24}.${(first >>> 16) & 255}.${(first >>> 8) & 255}.${first & 255}/28`;
  });
}

/** The slices of a way and of its baseline take turns. */
async function measure(
  { what, work, baseline }: GateWay,
  { slices, warmUpSlices, ...least }: Slices,
): Promise<Figure> {
  const requests = await requestsInSlice(work, least);
  const requestsOfBaseline = baseline ? await requestsInSlice(baseline.work, least) : 0;
  const used: number[] = [];
  const usedByBaseline: number[] = [];
  for (let turn = 0; turn < warmUpSlices + slices; turn += 1) {
    const cost = await microsecondsEach(work, requests);
    const costOfBaseline = baseline ? await microsecondsEach(baseline.work, requestsOfBaseline) : Number.NaN;
    if (turn < warmUpSlices) continue;
    used.push(cost);
    usedByBaseline.push(costOfBaseline);
  }
  const compared = baseline && {
    baseline: `${baseline.name} ${duration(median(usedByBaseline))}`,
    ratio: (median(used) / median(usedByBaseline)).toFixed(2),
  };
  return figure(what, duration(median(used)), { ...compared });
}

async function requestsInSlice(
  work: Work,
  { requests, milliseconds }: Pick<Slices, 'requests' | 'milliseconds'>,
): Promise<number> {
  for (let count = requests; ; count *= 2) {
    const putThrough = work(count);
    const start = performance.now();
    await putThrough();
    if (performance.now() - start >= milliseconds) return count;
  }
}

async function microsecondsEach(work: Work, requests: number): Promise<number> {
  const putThrough = work(requests);
  const start = process.threadCpuUsage();
  await putThrough();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / requests;
}

function signatureWays(algorithm: Algorithm): readonly GateWay[] {
  const { key, published } = newSigningKey(algorithm);
  const { verify, directories } = createSignatureScene();
  directories.set(directoryOf(SCENE_AGENT), [published]);
  let serial = 0;
  const fresh = (nonce = {}) => {
    serial += 1;
    return signedFacts({ key, ...nonce }, { target: `/ai/v1/search?session=${serial}` });
  };
  const all = (facts: readonly CallerFacts[]) => async () => {
    for (const one of facts) {
      if ((await verify(one)).kind !== 'verified') throw new Error('a signature was not verified');
    }
  };
  const first: Work = (requests) => all(Array.from({ length: requests }, () => fresh()));
  const again: Work = (requests) => {
    const facts = fresh();
    return all(Array.from({ length: requests }, () => facts));
  };
  const withNonce: Work = (requests) =>
    all(Array.from({ length: requests }, () => fresh({ nonce: `nonce ${serial}` })));
  const signature = signBase({ algorithm, key: key.key }, COVERED_TEXT);
  const bare: Work = (requests) => async () => {
    for (let turn = 0; turn < requests; turn += 1) isSignedBy(key, COVERED_TEXT, signature);
  };
  const computed = { name: 'the computation alone', work: bare };
  return [
    { what: `signature, ${algorithm}, first use`, work: first, baseline: computed },
    {
      what: `signature, ${algorithm}, used again`,
      work: again,
      baseline: { name: 'first use', work: first },
    },
    { what: `signature, ${algorithm}, with a nonce`, work: withNonce, baseline: computed },
  ];
}
