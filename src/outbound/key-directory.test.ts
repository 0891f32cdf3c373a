import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AGENT, sampleIdentity, sampleKey } from '../../test/support/sample-identity.ts';
import { provedByOthers } from '../../test/support/verified-by-others.ts';
import { createKeyDirectory, KEY_DIRECTORY_PATH } from './signing.ts';

const NOW = Date.UTC(2027, 2, 1, 12);
const DAY_MS = 86_400_000;
const URL_OF_IT = `${AGENT}${KEY_DIRECTORY_PATH}`;

describe('the directory of keys', () => {
  it('has the public members of every key, the one that signs first', () => {
    const { body } = createKeyDirectory(sampleIdentity('first', 'next'), { clock: { now: () => NOW } })();
    const { keys } = JSON.parse(body.toString());
    assert.deepEqual(
      keys.map(({ kid }: { kid: string }) => kid),
      [sampleKey('first').keyid, sampleKey('next').keyid],
    );
    for (const key of keys) assert.deepEqual(Object.keys(key), ['kty', 'crv', 'x', 'kid', 'use']);
    for (const name of ['first', 'next']) assert.ok(!body.includes(sampleKey(name).secret));
  });

  it('is signed with each of them, for its own host, as others verify', async () => {
    const directory = createKeyDirectory(sampleIdentity('first', 'next'), { clock: { now: () => NOW } })();
    const answer = { headers: directory.headers, body: directory.body.toString() };
    assert.deepEqual(await provedByOthers(answer, { now: NOW, url: URL_OF_IT }), [
      sampleKey('first').keyid,
      sampleKey('next').keyid,
    ]);
    await assert.rejects(provedByOthers(answer, { now: NOW, url: URL_OF_IT.replace('stays', 'copied') }));
    const other = { ...answer, body: answer.body.replace('"use"', '"was"') };
    await assert.rejects(provedByOthers(other, { now: NOW, url: URL_OF_IT }));
  });

  it('is signed again once a day, and not whenever it is asked for', () => {
    let now = NOW;
    const directory = createKeyDirectory(sampleIdentity(), { clock: { now: () => now } });
    const first = directory().headers;
    now += DAY_MS - 1000;
    assert.equal(directory().headers, first);
    now += 1000;
    const second = directory().headers;
    assert.notDeepEqual(second, first);
    // The clock of the machine was set back: a signature must not be of the future.
    now = NOW;
    assert.deepEqual(directory().headers, first);
  });
});
