import assert from 'node:assert/strict';
import { describeAssistantRegistry } from '../../../src/access/registry/assistant-registry.ts';
import { describeNetwork } from '../../../src/network/read-network.ts';
import { invalid } from '../../../src/parsing/reading.ts';
import { brandEntry, networkFile } from '../../support/network.ts';
import type { FuzzTarget, Timed } from '../fuzz-target.ts';
import type { InputRandom } from '../input-random.ts';
import { mutatedJson } from '../mutate-json.ts';
import { parsedOrUndefined } from '../parsed-or-undefined.ts';
import { spelledJson } from '../spell-json.ts';

const VALID_NETWORK = {
  ...networkFile([
    {
      ...brandEntry('acme', 'https://ops.acme.example'),
      quote_hold_minutes: 30,
      rating_scale: 5,
      single_location: 'lisbon-pt',
      places: { Lisboa: 'lisbon-pt' },
    },
    {
      ...brandEntry('card', ''),
      booking_system: { kind: 'rate-card', url: 'https://ops.card.example/card.json' },
    },
  ]),
  refresh_seconds: 900,
};
const VALID_REGISTRY = {
  assistants: [
    {
      id: 'one',
      name: 'One',
      status: 'approved',
      recognised_by: [
        { network: ['203.0.113.0/24', '2001:db8::/32'] },
        { user_agent: 'One-User', ranges: ['198.51.100.7'] },
        { user_agent: 'One-User', reverse_dns: ['crawl.one.example'] },
        { signature_agent: 'https://one.example' },
        { jwks_uri: 'https://one.example/keys.json' },
        { user_agent: 'One-User', ranges_url: 'https://one.example/ranges.json' },
      ],
      limits: { requests: 600, sessions: 20, megabytes: 10, searches: 4 },
      history: [{ at: '2026-11-17T04:30:00Z', change: 'added', note: 'As agreed.' }],
    },
    { id: 'two', name: 'Two', status: 'suspended', recognised_by: [{ network: ['192.0.2.1'] }] },
  ],
};

/** The two files of the owner: a mistake in them is a listed fault, never a crash. */
export const networks: FuzzTarget = {
  name: 'networks',
  weight: 4,
  // They are read once, at the start.
  maxCpuMs: 150,
  inputsPerOpening: 100_000,
  open: async () => ({ run: readOne, close: async () => undefined }),
};

function readOne(random: InputRandom, timed: Timed): void {
  const readsNetwork = random.oneIn(2);
  const file = readsNetwork ? VALID_NETWORK : VALID_REGISTRY;
  const text = spelledJson(mutatedJson(file, random), random);
  const value = parsedOrUndefined(text);
  const read = () =>
    readsNetwork
      ? describeNetwork(value, { env: {}, directory: '/nowhere' })
      : describeAssistantRegistry(value, () => invalid('cannot be read'));
  const reading = timed(read, text.length);
  if (reading.kind === 'invalid') assert.ok(reading.faults.length > 0, 'a refusal names its faults');
}
