import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type InnerList, parseDictionary } from 'structured-headers';
import {
  createSignatureScene,
  SCENE_NOW_SECONDS as NOW,
  SCENE_AGENT,
  SCENE_HOST,
  signedFacts,
} from '../../../test/support/signature-scene.ts';
import { newSigningKey } from '../../../test/support/signing-key.ts';
import type { CallerFacts } from '../caller-facts.ts';
import { component } from '../signatures/sign-request.ts';
import { directoryOf } from '../signatures/signature-headers.ts';
import { ACCEPT_SIGNATURE } from './signature-rules.ts';

const ALGORITHMS = ['ed25519', 'ecdsa-p256-sha256', 'rsa-pss-sha512'] as const;

describe('a signature that is sent again', () => {
  it('is good for the same request, and for nothing else', async () => {
    const { key, verify } = createSignatureScene();
    const facts = signedFacts({ key: key.key });
    assert.equal((await verify(facts)).kind, 'verified');
    assert.equal((await verify(facts)).kind, 'verified');
    for (const other of [
      { ...facts, target: '/other' },
      { ...facts, method: 'POST' },
      { ...facts, headers: { ...facts.headers, host: 'evil.example' } },
      { ...facts, headers: { ...facts.headers, 'signature-agent': 'sig1="https://other.example"' } },
      { ...facts, headers: { ...facts.headers, signature: 'sig1=:AAAA:' } },
    ]) {
      assert.notEqual((await verify(other)).kind, 'verified');
    }
  });

  it('is not verified any more when it has expired', async () => {
    const { key, verify, clock } = createSignatureScene();
    const facts = signedFacts({ key: key.key });
    await verify(facts);
    await clock.advance(329_000);
    assert.equal((await verify(facts)).kind, 'verified', 'within the difference of clocks');
    await clock.advance(1000);
    assert.deepEqual(await verify(facts), {
      kind: 'invalid',
      why: 'expired',
      keysUrl: directoryOf(SCENE_AGENT),
    });
  });

  it('is not verified any more when its key has gone', async () => {
    const { key, otherKey, verify, directories } = createSignatureScene();
    const facts = signedFacts({ key: key.key });
    await verify(facts);
    directories.set(directoryOf(SCENE_AGENT), [otherKey.published]);
    assert.deepEqual(await verify(facts), { kind: 'unverified', why: 'key_unknown' });
    directories.delete(directoryOf(SCENE_AGENT));
    assert.deepEqual(await verify(facts), { kind: 'unverified', why: 'agent_unknown' });
    directories.set(directoryOf(SCENE_AGENT), [key.published]);
    assert.equal((await verify(facts)).kind, 'verified', 'when it is back');
  });
});

describe('nonces', () => {
  it('that cannot be remembered leave a signature unverified', async () => {
    const { key, verify } = createSignatureScene({
      nonces: { claim: () => Promise.reject(new Error('down')) },
    });
    assert.deepEqual(await verify(signedFacts({ key: key.key, nonce: 'one' })), {
      kind: 'unverified',
      why: 'nonces_unavailable',
    });
    assert.equal((await verify(signedFacts({ key: key.key }))).kind, 'verified', 'without one');
  });

  it('are remembered for longer than their signature is accepted', async () => {
    const { key, verify, clock } = createSignatureScene();
    const facts = signedFacts({ key: key.key, created: NOW + 30, expires: NOW + 5000, nonce: 'one' });
    assert.equal((await verify(facts)).kind, 'verified');
    await clock.advance(660_000);
    assert.equal((await verify(facts)).kind, 'replayed');
    await clock.advance(1);
    const late = await verify(facts);
    assert.equal(late.kind === 'invalid' && late.why, 'nonce_too_old');
  });

  it('of strangers are not remembered', async () => {
    const { key, verify, nonces } = createSignatureScene();
    for (let turn = 0; turn < 50; turn += 1) {
      await verify({ ...signedFacts({ key: key.key, nonce: `n${turn}` }), target: '/forged' });
      await verify(signedFacts({ key: newSigningKey('ed25519').key, nonce: `n${turn}` }));
    }
    assert.equal(nonces.size, 0);
  });
});

describe('addresses of ours', () => {
  it('are compared without regard to case and to the port that the scheme implies', async () => {
    const { key, verify } = createSignatureScene();
    const facts = signedFacts({ key: key.key });
    for (const host of ['STAYS.example', 'stays.example:443']) {
      assert.equal((await verify({ ...facts, headers: { ...facts.headers, host } })).kind, 'verified', host);
    }
    for (const host of ['stays.example:80', 'stays.example.', 'stays.example:443:443', '']) {
      const outcome = await verify({ ...facts, headers: { ...facts.headers, host } });
      assert.equal(outcome.kind === 'invalid' && outcome.why, 'other_authority', host);
    }
  });

  it('give the scheme and the whole address that were signed', async () => {
    const { key, verify } = createSignatureScene();
    const covered = ['@target-uri', '@scheme', '@request-target'].map((name) => component(name));
    const facts = signedFacts({ key: key.key, components: covered });
    assert.equal((await verify(facts)).kind, 'verified');
    const target = `https://${SCENE_HOST}${facts.target}`;
    const bound = signedFacts({ key: key.key, components: [component('@target-uri'), component('@path')] });
    assert.equal(
      (await verify({ ...bound, target })).kind,
      'verified',
      'a whole address in the request line',
    );
  });
});

describe('Accept-Signature', () => {
  const [[label, member] = []] = parseDictionary(ACCEPT_SIGNATURE);
  const [components, parameters] = member as InnerList;
  const { key, verify } = createSignatureScene();

  it('invites what is verified', async () => {
    assert.equal(label, 'sig1');
    const others = components.filter(([name]) => name !== 'signature-agent');
    const facts = signedFacts({ key: key.key, label: 'sig1', components: others });
    const input = parseDictionary(String(facts.headers['signature-input'])).get('sig1') as InnerList;
    assert.deepEqual(input[0], components);
    for (const [name, value] of parameters) {
      assert.ok(input[1].has(name));
      if (value !== true) assert.equal(input[1].get(name), value);
    }
    assert.equal((await verify(facts)).kind, 'verified');
  });
});

describe('any request', () => {
  const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,12}$/).map((text) => `x-${text}`);
  const value = fc.stringMatching(/^[!-~]([ -~]{0,20}[!-~])?$/);
  const requests = fc.record({
    method: fc.constantFrom('GET', 'POST', 'DELETE'),
    path: fc
      .stringMatching(/^\/[a-z0-9/%~;=.-]{0,20}$/)
      .map((path) => new URL(`https://a${path.replaceAll('//', '/')}`).pathname),
    query: fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.string({ maxLength: 6 }), { maxKeys: 4 }),
    headers: fc.dictionary(name, value, { maxKeys: 4 }),
    derived: fc.subarray(['@method', '@target-uri', '@scheme', '@request-target', '@path', '@query']),
    algorithm: fc.constantFrom(...ALGORITHMS),
    nonce: fc.option(fc.stringMatching(/^[ -~]{1,20}$/), { nil: undefined }),
    part: fc.constantFrom(
      'method',
      'target',
      'host',
      'header',
      'signature',
      'signature-input',
      'signature-agent',
    ),
    at: fc.nat(),
  });
  const scene = createSignatureScene();
  const keys = Object.fromEntries(ALGORITHMS.map((algorithm) => [algorithm, newSigningKey(algorithm)]));
  scene.directories.set(
    directoryOf(SCENE_AGENT),
    Object.values(keys).map(({ published }) => published),
  );
  let serial = 0;

  it('is verified as it was signed, and with one byte of what is covered changed it is not', async () => {
    await fc.assert(
      fc.asyncProperty(
        requests,
        async ({ method, path, query, headers, derived, algorithm, nonce, part, at }) => {
          const key = keys[algorithm]?.key;
          assert.ok(key);
          const search = new URLSearchParams(query).toString();
          const target = search === '' ? path : `${path}?${search}`;
          serial += 1;
          const facts = signedFacts(
            {
              key,
              ...(nonce === undefined ? {} : { nonce: `${serial} ${nonce}` }),
              components: [
                component('@authority'),
                component('@method'),
                component('@request-target'),
                ...derived
                  .filter((one) => one !== '@method' && one !== '@request-target')
                  .map((one) => component(one)),
                ...Object.keys(query).map((one) => component('@query-param', { name: one })),
                ...Object.keys(headers).flatMap((one) => [component(one), component(one, { bs: true })]),
              ],
            },
            { method, target, headers },
          );
          // First the changed one, because a nonce is good once.
          const changed = withOneByteChanged(facts, part, at, Object.keys(headers));
          if (changed) assert.notEqual((await scene.verify(changed)).kind, 'verified', part);
          assert.equal((await scene.verify(facts)).kind, 'verified');
          assert.equal((await scene.verify(facts)).kind, nonce === undefined ? 'verified' : 'replayed');
        },
      ),
    );
  });
});

/** Null when there is nothing of that part. */
function withOneByteChanged(
  facts: CallerFacts,
  part: string,
  at: number,
  names: readonly string[],
): CallerFacts | null {
  if (part === 'method') return { ...facts, method: changedAt(facts.method, at) };
  if (part === 'target') return { ...facts, target: changedAt(facts.target, at) };
  const name = part === 'header' ? names[at % Math.max(1, names.length)] : part;
  if (name === undefined) return null;
  const text = String(facts.headers[name]);
  const changed = name === 'signature' ? changedSignature(text, at) : changedAt(text, at);
  return { ...facts, headers: { ...facts.headers, [name]: changed } };
}

function changedAt(text: string, at: number): string {
  const index = at % text.length;
  return `${text.slice(0, index)}${String.fromCharCode(text.charCodeAt(index) ^ 1)}${text.slice(index + 1)}`;
}

function changedSignature(text: string, at: number): string {
  const [label, base64 = ''] = text.split(':');
  const bytes = Buffer.from(base64, 'base64');
  const index = at % bytes.length;
  bytes[index] = (bytes[index] ?? 0) ^ (1 << (at % 8));
  return `${label}:${bytes.toString('base64')}:`;
}
