import assert from 'node:assert/strict';
import {
  readPublishedKeys,
  readPublishedRanges,
} from '../../../src/access/published/read-published-document.ts';
import { isAmong, parseAddress } from '../../../src/parsing/ip-address.ts';
import type { FuzzTarget, Timed } from '../fuzz-target.ts';
import type { InputRandom } from '../input-random.ts';
import { mutatedJson } from '../mutate-json.ts';
import { spelledJson } from '../spell-json.ts';

const VALID_RANGES = {
  creationTime: '2026-08-14T20:03:38.055838',
  prefixes: [{ ipv4Prefix: '104.210.139.192/28' }, { ipv6Prefix: '2001:4860:c::/48' }, '18.97.21.0/30'],
};
const VALID_KEYS = {
  keys: [
    {
      kty: 'OKP',
      crv: 'Ed25519',
      x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs',
      use: 'sig',
      kid: 'one',
      nbf: 1_735_689_600,
      exp: 1_786_913_274,
    },
    { kty: 'RSA', n: 'y'.repeat(342), e: 'AQAB', alg: 'PS512', key_ops: ['verify'] },
  ],
};
const PRIVATE = ['127.0.0.1', '10.1.2.3', '192.168.7.7', '::1', 'fd00::1', '203.0.113.7'].flatMap(
  (text) => parseAddress(text) ?? [],
);

/** What assistants publish: whatever it is, it opens no way to a network of the owner's, and is read again as it was kept. */
export const published: FuzzTarget = {
  name: 'published',
  weight: 3,
  // It comes every few minutes at most.
  maxCpuMs: 50,
  inputsPerOpening: 100_000,
  open: async () => ({ run: readOne, close: async () => undefined }),
};

function readOne(random: InputRandom, timed: Timed): void {
  const readsKeys = random.oneIn(2);
  const text = spelledJson(mutatedJson(readsKeys ? VALID_KEYS : VALID_RANGES, random), random);
  if (readsKeys) checkKeys(text, timed);
  else checkRanges(text, timed);
}

function checkKeys(text: string, timed: Timed): void {
  const reading = timed(() => readPublishedKeys(text), text.length);
  if (reading.kind === 'invalid') {
    assert.ok(reading.faults.length > 0, 'a refusal names its faults');
    return;
  }
  const again = readPublishedKeys(reading.value.text);
  assert.ok(again.kind === 'valid');
  assert.deepEqual([again.value.text, again.value.dropped], [reading.value.text, 0]);
  assert.doesNotMatch(reading.value.text, /"(?:d|p|q|k)":/);
}

function checkRanges(text: string, timed: Timed): void {
  const reading = timed(() => readPublishedRanges(text), text.length);
  if (reading.kind === 'invalid') {
    assert.ok(reading.faults.length > 0, 'a refusal names its faults');
    return;
  }
  assert.deepEqual(readPublishedRanges(reading.value.text), reading);
  for (const address of PRIVATE) {
    assert.ok(!isAmong(reading.value.content, address), `${address}`);
  }
}
