import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { signRequest } from '../../src/access/signatures/sign-request.ts';
import { vendorClock } from '../connectors/vendor-clock.ts';
import { createCommandStage } from '../support/command-stage.ts';
import { keepPublishedKeys } from '../support/keep-published-keys.ts';
import { newSigningKey } from '../support/signing-key.ts';

const AGENT = 'https://agent.example';
const OURS = { STAYWIRE_PUBLIC_URL: 'https://stays.example' };
const key = newSigningKey('ed25519');
const another = newSigningKey('ed25519');

/** An owner who has approved an agent that signs, with a copy of its keys that a service has fetched. */
async function approvedAgent(t: TestContext, environment: Readonly<Record<string, string>> = OURS) {
  const stage = createCommandStage(t);
  const env = { STAYWIRE_DATA_DIR: 'data', ...environment };
  keepPublishedKeys(join(stage.directory, 'data'), {
    agent: AGENT,
    keys: [key.published],
    confirmedAt: vendorClock.now(),
  });
  const run = (words: readonly string[], input = '') => stage.run(['assistants', ...words], { env, input });
  const approved = await run(['approve', 'guide', '--name', 'Guide', '--signature-agent', AGENT]);
  assert.equal(approved.code, 0, approved.notes);
  const test = async (input: string) => {
    const { code, output, notes } = await run(['test', '-'], input);
    assert.equal(notes, '');
    return { code, said: output.replace(/\s+/g, ' ') };
  };
  return { run, test };
}

function signedRequest({
  host = 'stays.example',
  signedFor = host,
  by = key,
}: {
  readonly host?: string;
  readonly signedFor?: string;
  readonly by?: typeof key;
} = {}): string {
  const now = Math.floor(vendorClock.now() / 1000);
  const signed = signRequest(
    { method: 'GET', url: `https://${signedFor}/ai/v1/auth`, headers: {} },
    { agent: AGENT, key: by.key, created: now, expires: now + 60 },
  );
  const lines = Object.entries({ Host: host, ...signed }).map(([name, value]) => `${name}: ${value}`);
  return ['GET /ai/v1/auth HTTP/1.1', ...lines, ''].join('\n');
}

describe('staywire assistants test, for a signed request', () => {
  it('verifies the signature with the keys that the service has fetched', async (t) => {
    const { test } = await approvedAgent(t);
    const right = await test(signedRequest());
    assert.equal(right.code, 0, right.said);
    assert.match(
      right.said,
      /^Answered: it is guide, recognised by its signature\. ✔ guide signature signed with/,
    );
  });

  it('refuses one that is wrong, and says for which host it has to be made', async (t) => {
    const { test } = await approvedAgent(t, { ...OURS, STAYWIRE_HOSTS: 'api.example' });
    const wrong = await test(signedRequest({ signedFor: 'another.example' }));
    assert.equal(wrong.code, 1);
    assert.match(
      wrong.said,
      /^Refused: its signature is wrong \(guide\)\. → It has to be made for stays\.example \(STAYWIRE_PUBLIC_URL\) or api\.example \(STAYWIRE_HOSTS\), by the environment of this command, .* – guide signature its signature is refused: signature wrong/,
    );
    const forAddress = await test(signedRequest({ host: '203.0.113.9' }));
    assert.equal(forAddress.code, 1);
    assert.match(forAddress.said, /→ It has to be made for stays\.example .*refused: other authority/);
    const unpublished = await test(signedRequest({ by: another }));
    assert.equal(unpublished.code, 1);
    assert.match(unpublished.said, /– guide signature its signer does not publish the key/);
  });

  it('refuses every signature where no setting names a host, and says which would', async (t) => {
    const { test } = await approvedAgent(t, {});
    const { code, said } = await test(signedRequest({ host: '203.0.113.9' }));
    assert.equal(code, 1);
    assert.match(said, /→ Every signature is refused while neither STAYWIRE_PUBLIC_URL nor STAYWIRE_HOSTS/);
  });

  it('says that it is not recognised because the keys of its signer are not there, and why', async (t) => {
    const { run, test } = await approvedAgent(t);
    const keysUrl = 'https://127.0.0.1:1/keys.json';
    await run(['approve', 'absent', '--name', 'Absent', '--jwks-uri', keysUrl]);
    const request = signedRequest()
      .replace(`sig1="${AGENT}"`, `sig1="${keysUrl}";type=jwks_uri`)
      .replace(`"${AGENT}"`, `"${keysUrl}"`);
    const { code, said } = await test(request);
    assert.equal(code, 1);
    assert.match(said, /– absent signature its keys are not known, never fetched from https:\/\/127/);
    assert.match(
      said,
      /! Nobody is recognised by the keys at https:\/\/127\.0\.0\.1:1\/keys\.json: never fetched; a try just now has failed: /,
    );
  });
});

describe('staywire assistants test without --from', () => {});
