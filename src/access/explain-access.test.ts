import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { accessListOf } from '../../test/support/access-list-of.ts';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { registryOf } from '../../test/support/registry-of.ts';
import { addressSetOf } from '../parsing/ip-address.ts';
import type { AccessList } from './access-list.ts';
import type { ConnectionFacts } from './caller-facts.ts';
import { explainAccess } from './explain-access.ts';
import type { SignatureOutcome } from './web-bot-auth/signature-rules.ts';

const KEYS_URL = 'https://signs.example/.well-known/http-message-signatures-directory';
const accessList = accessListOf(
  registryOf(
    ...Object.entries({
      signs: { signature_agent: 'https://signs.example' },
      listed: { user_agent: 'Listed-User', ranges: ['203.0.113.0/24'] },
      named: { user_agent: 'Named-User', reverse_dns: ['fetch.named.example'] },
      home: { network: ['10.0.0.0/8'] },
    }).map(([id, way]) => ({ id, name: id, status: 'approved', recognised_by: [way] })),
  ),
);

async function explained(facts: ConnectionFacts, outcome: SignatureOutcome) {
  const { decision, tried } = await explainAccess(
    { method: 'GET', target: '/ai/v1/terms', ...facts },
    {
      accessList,
      trustedProxies: [],
      signatureVerifier: async () => outcome,
      resolver: {
        reverse: async (address) => (address === '198.51.100.5' ? ['a.fetch.named.example'] : []),
        forward: async () => ['198.51.100.5'],
      },
      clock: createFakeClock(0),
    },
  );
  return { decision, tried: tried.map(({ assistant, outcome: found, why }) => [assistant, found, why]) };
}

const UNSIGNED: SignatureOutcome = { kind: 'unverified', why: 'no_signature' };

describe('why a request is let in or refused', () => {
  it('says what each way lacks', async () => {
    const { decision, tried } = await explained({ peerAddress: '192.0.2.1', headers: {} }, UNSIGNED);
    assert.equal(decision.kind === 'refused' && decision.cause, 'unknown_caller');
    assert.deepEqual(tried, [
      ['signs', 'not_recognised', 'it is not signed'],
      ['listed', 'not_recognised', 'Listed-User is not in User-Agent; 192.0.2.1 is not in its ranges'],
      ['named', 'not_recognised', 'Named-User is not in User-Agent'],
      ['home', 'not_recognised', '192.0.2.1 is not in its networks'],
    ]);
  });

  it('says by what it was recognised', async () => {
    const rows: readonly (readonly [string, ConnectionFacts, SignatureOutcome, string])[] = [
      [
        'signs',
        { peerAddress: '192.0.2.1', headers: { signature: 'x', 'signature-input': 'x' } },
        { kind: 'verified', keysUrl: KEYS_URL, keyid: 'k' },
        `signed with a key of ${KEYS_URL}`,
      ],
      [
        'listed',
        { peerAddress: '203.0.113.9', headers: { 'user-agent': 'Listed-User/1' } },
        UNSIGNED,
        'Listed-User is in User-Agent; 203.0.113.9 is in its ranges',
      ],
      [
        'named',
        { peerAddress: '198.51.100.5', headers: { 'user-agent': 'Named-User/1' } },
        UNSIGNED,
        'Named-User is in User-Agent; 198.51.100.5 is a.fetch.named.example, both ways',
      ],
      ['home', { peerAddress: '10.1.2.3', headers: {} }, UNSIGNED, '10.1.2.3 is in its networks'],
    ];
    for (const [assistant, facts, outcome, why] of rows) {
      const { decision, tried } = await explained(facts, outcome);
      assert.equal(decision.kind === 'approved' && decision.assistant, assistant);
      assert.deepEqual(
        tried.filter(([, found]) => found === 'recognised'),
        [[assistant, 'recognised', why]],
      );
    }
  });

  it('tells a wrong signature, one of another signer, and one that was used before', async () => {
    const signed = { peerAddress: '10.1.2.3', headers: { signature: 'x', 'signature-input': 'x' } };
    const why = async (outcome: SignatureOutcome) => (await explained(signed, outcome)).tried[0]?.[2];
    assert.equal(
      await why({ kind: 'invalid', why: 'life_too_long', keysUrl: KEYS_URL }),
      'its signature is refused: life too long',
    );
    assert.equal(await why({ kind: 'replayed', keysUrl: KEYS_URL, keyid: 'k' }), 'its nonce was used before');
    assert.equal(
      await why({ kind: 'verified', keysUrl: 'https://other.example/keys', keyid: 'k' }),
      'it is signed for another one, whose keys are at https://other.example/keys',
    );
  });

  it('tells keys and ranges that are not known from those that do not fit', async () => {
    const published = accessListOf(
      registryOf({
        id: 'signs',
        name: 'S',
        status: 'approved',
        recognised_by: [{ signature_agent: 'https://signs.example' }],
      }),
    )();
    const unknown: SignatureOutcome = { kind: 'unverified', why: 'agent_unknown' };
    const why = async (list: AccessList) =>
      (
        await explainAccess(
          { method: 'GET', target: '/', peerAddress: '192.0.2.1', headers: { 'signature-input': 'x' } },
          {
            accessList: () => list,
            trustedProxies: [],
            signatureVerifier: async () => unknown,
            clock: createFakeClock(0),
          },
        )
      ).tried.map((way) => way.why);
    assert.deepEqual(await why(published), [
      `its keys are not known, never fetched from ${KEYS_URL} or too long ago`,
    ]);
    assert.deepEqual(await why({ ...published, keys: [{ url: KEYS_URL, keys: [] }] }), [
      'it names another signer, whose keys are not known',
    ]);
    const ranges: AccessList['assistants'][number] = {
      id: 'listed',
      name: 'L',
      status: 'approved',
      recognisedBy: [{ kind: 'ranges', userAgent: 'Listed-User', ranges: addressSetOf([]) }],
    };
    assert.deepEqual(await why({ assistants: [ranges], keys: [] }), [
      'Listed-User is not in User-Agent; its ranges are not known, never fetched or too long ago',
    ]);
  });

  it('says that no way by address can be told where the address is not known', async () => {
    const { tried } = await explained(
      { peerAddress: '', headers: { 'user-agent': 'Named-User/1' } },
      UNSIGNED,
    );
    const why = new Map(tried.map(([assistant, , text]) => [assistant, text]));
    assert.match(why.get('listed') ?? '', /; from which address it comes is not known$/);
    assert.match(why.get('named') ?? '', /; from which address it comes is not known$/);
    assert.equal(why.get('home'), 'from which address it comes is not known');
  });

  it('says that an address behind an unlisted proxy proves no network', async () => {
    const { decision, tried } = await explained(
      { peerAddress: '10.1.2.3', headers: { via: '1.1 proxy' } },
      UNSIGNED,
    );
    assert.equal(decision.kind, 'refused');
    assert.match(String(tried.at(-1)?.[2]), /in its networks, but the request came through a proxy/);
  });
});
