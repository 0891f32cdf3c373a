import assert from 'node:assert/strict';
import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { describe, it } from 'node:test';
import { request } from 'undici';
import type { AccessList } from '../../src/access/access-list.ts';
import type { Resolver } from '../../src/access/reverse-dns.ts';
import type { PublicKey } from '../../src/access/signatures/keys.ts';
import { readPrivateKey } from '../../src/access/signatures/keys.ts';
import { signRequest } from '../../src/access/signatures/sign-request.ts';
import { STAY } from '../support/conversation.ts';
import { startStays } from '../support/mcp-client.ts';
import { sendToMcp, toolMessage } from '../support/mcp-message.ts';
import { NOON } from '../support/network.ts';
import { registryOf } from '../support/registry-of.ts';

const HOST = 'stays.example';
const AGENT = 'https://signs.example';
const KEYS_URL = `${AGENT}/.well-known/http-message-signatures-directory`;
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const key = readPrivateKey(privateKey.export({ format: 'jwk' }));

/** One assistant for each way of being recognised. */
const accessList: AccessList = {
  assistants: registryOf(
    { id: 'signature', name: 'Signs', status: 'approved', recognised_by: [{ signature_agent: AGENT }] },
    {
      id: 'ranges',
      name: 'Has ranges',
      status: 'approved',
      recognised_by: [{ user_agent: 'Ranges-User', ranges: ['203.0.113.0/24'] }],
    },
    {
      id: 'reverse-dns',
      name: 'Has names',
      status: 'approved',
      recognised_by: [{ user_agent: 'Named-User', reverse_dns: ['fetch.named.example'] }],
    },
    { id: 'network', name: 'At home', status: 'approved', recognised_by: [{ network: ['10.20.0.0/16'] }] },
  ).assistants,
  keys: [
    {
      url: KEYS_URL,
      keys: [
        {
          key: publicKey.export({ format: 'jwk' }) as JsonWebKey as PublicKey,
          notBefore: null,
          notAfter: null,
        },
      ],
    },
  ],
};
const resolver: Resolver = {
  reverse: async (address) => (address === '198.51.100.5' ? ['a.fetch.named.example'] : []),
  forward: async (name) => (name === 'a.fetch.named.example' ? ['198.51.100.5'] : []),
};

type Caller = (method: string, target: string) => Record<string, string>;

let signed = 0;
const CALLERS: Readonly<Record<string, Caller>> = {
  signature(method, target) {
    assert.ok(key.kind === 'valid');
    signed += 1;
    const created = Math.floor(NOON / 1000);
    return {
      'x-forwarded-for': '192.0.2.44',
      ...signRequest(
        { method, url: `https://${HOST}${target}`, headers: {} },
        { key: key.value, agent: AGENT, created, expires: created + 60, nonce: `nonce-${signed}` },
      ),
    };
  },
  ranges: () => ({ 'user-agent': 'Ranges-User/1.0', 'x-forwarded-for': '203.0.113.9' }),
  reverse_dns: () => ({ 'user-agent': 'Named-User/1.0', 'x-forwarded-for': '198.51.100.5' }),
  network: () => ({ 'x-forwarded-for': '10.20.3.4' }),
};
const STRANGER: Caller = () => ({ 'x-forwarded-for': '192.0.2.44' });

describe('a session token that somebody else has read', () => {
  for (const owner of Object.keys(CALLERS)) {
    it(`is worth nothing to any other caller when its owner is recognised by ${owner}`, async (t) => {
      const { origin } = await startStays(t, {
        accessList: () => accessList,
        resolver,
        settings: { publicUrl: `https://${HOST}`, trustedProxies: ['127.0.0.1'] },
      });
      const rest = async (caller: Caller, method: 'GET' | 'POST', target: string, body?: object) => {
        const answer = await request(`${origin}${target}`, {
          method,
          headers: {
            host: HOST,
            ...(body ? { 'content-type': 'application/json' } : {}),
            ...caller(method, target),
          },
          ...(body ? { body: JSON.stringify(body) } : {}),
        });
        const text = await answer.body.text();
        return { status: answer.statusCode, text, error: JSON.parse(text).error, body: JSON.parse(text) };
      };
      const tool = (caller: Caller, name: string, args: object) =>
        sendToMcp(origin, toolMessage(name, args), { host: HOST, ...caller('POST', '/mcp') });

      const own = CALLERS[owner];
      assert.ok(own);
      const opened = await rest(own, 'POST', '/ai/v1/auth', {});
      assert.equal(opened.status, 200, opened.text);
      const { session } = opened.body;
      const search = `/ai/v1/search?session=${session}`;
      const result = `/ai/v1/result?session=${session}`;
      assert.equal((await rest(own, 'POST', search, STAY)).body.object, 'search_result');
      const before = (await rest(own, 'GET', result)).text;

      for (const [other, thief] of Object.entries(CALLERS)) {
        if (other === owner) continue;
        const read = await rest(thief, 'GET', result);
        assert.deepEqual([read.status, read.error], [404, 'session_not_found'], `${other} reads the result`);
        for (const [method, body] of [
          ['GET', undefined],
          ['POST', { guests: 3 }],
        ] as const) {
          const taken = await rest(thief, method, search, body);
          assert.deepEqual(
            [taken.status, taken.error],
            [200, 'session_not_found'],
            `${other}: ${method} search`,
          );
        }
        for (const [name, args] of [
          ['search_stays', { session, guests: 3 }],
          ['refine_stays', { session, amenities: ['pool'] }],
          ['show_stay', { session, rank: 1 }],
        ] as const) {
          const { body } = await tool(thief, name, args);
          assert.equal(
            body.result?.structuredContent.problem?.code,
            'session_not_found',
            `${other}: ${name}`,
          );
        }
      }
      for (const target of [search, result]) {
        assert.equal((await rest(STRANGER, 'GET', target)).status, 403, 'a stranger');
      }
      assert.equal(
        (await tool(STRANGER, 'show_stay', { session, rank: 1 })).status,
        403,
        'a stranger over MCP',
      );
      assert.equal((await rest(own, 'GET', result)).text, before, 'its owner finds all as it was');
      const shown = await tool(own, 'show_stay', { session, rank: 1 });
      assert.equal(shown.body.result.structuredContent.outcome, 'stay');
    });
  }
});
