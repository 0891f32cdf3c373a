import type { CallerFacts } from '../src/access/caller-facts.ts';
import { type Algorithm, isSignedBy, signBase } from '../src/signatures/algorithms.ts';
import { directoryOf } from '../src/signatures/signature-agent.ts';
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

type Slices = { readonly slices: number; readonly warmUpSlices: number; readonly requests: number };

const ALGORITHMS: readonly Algorithm[] = ['ed25519', 'ecdsa-p256-sha256', 'rsa-pss-sha512'];
/** As long as what a signature of ours covers. */
const COVERED_TEXT = 'x'.repeat(420);

/** What it costs to tell who calls, by the way in which the caller is recognised: processor time of one request. */
export async function addGate(
  report: BenchReport,
  { isQuick }: { readonly isQuick: boolean },
): Promise<void> {
  const slices = isQuick
    ? { slices: 1, warmUpSlices: 0, requests: 5 }
    : { slices: 9, warmUpSlices: 3, requests: 200 };
  for (const way of ALGORITHMS.flatMap(signatureWays)) report.add('gate', [await measure(way, slices)]);
}

/** The slices of a way and of its baseline take turns. */
async function measure(
  { what, work, baseline }: GateWay,
  { slices, warmUpSlices, requests }: Slices,
): Promise<Figure> {
  const used: number[] = [];
  const usedByBaseline: number[] = [];
  for (let turn = 0; turn < warmUpSlices + slices; turn += 1) {
    const cost = await microsecondsEach(work, requests);
    const costOfBaseline = baseline ? await microsecondsEach(baseline.work, requests) : Number.NaN;
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
