import assert from 'node:assert/strict';
import type { JsonWebKey } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { publicHalf } from '../../../test/support/signing-key.ts';
import { isSignedBy, readPublicKey, type SignatureKey } from './keys.ts';
import { componentValuesOf, type RequestParts, signatureBase } from './signature-base.ts';
import { KEY_DIRECTORY_PATH, keysAddress, readSignatureAgent, readSignatures } from './signature-headers.ts';

const VECTORS = new URL('../../../test/support/signature-vectors/', import.meta.url);

type DraftVector = {
  readonly key: JsonWebKey;
  readonly target_url: string;
  readonly label: string;
  readonly signature: string;
  readonly signature_input: string;
  readonly signature_agent?: string;
};
type RfcVectors = {
  readonly keys: Readonly<Record<string, JsonWebKey>>;
  readonly vectors: readonly {
    readonly name: string;
    readonly key: string;
    readonly verifies: boolean;
    readonly request: Omit<RequestParts, 'scheme'>;
  }[];
};

it('vectors have a source, a date and a licence', () => {
  const rows = readFileSync(new URL('README.md', VECTORS), 'utf8').split('\n');
  for (const file of readdirSync(VECTORS).filter((name) => name.endsWith('.json'))) {
    const row = rows.find((line) => line.startsWith('|') && line.includes(`\`${file}\``));
    assert.match(row ?? '', /\| https:\/\/[^|]+ \| \d{4}-\d\d(-\d\d)? \| (Apache-2\.0|Revised BSD)/, file);
  }
});

describe('the vectors of RFC 9421', () => {
  const { keys, vectors } = vectorsIn<RfcVectors>('rfc9421');
  for (const { name, key, verifies, request } of vectors) {
    it(name, () => {
      assert.equal(isVerified({ ...request, scheme: 'https' }, keyOf(keys[key])), verifies);
    });
  }
});

describe('the vectors of the Web Bot Auth drafts', () => {
  for (const version of ['v1', 'v2']) {
    for (const vector of vectorsIn<readonly DraftVector[]>(`web-bot-auth-${version}`)) {
      const { key, target_url: url, signature, signature_input: input, signature_agent: agent } = vector;
      const key_ = keyOf(key);
      it(`${version}, ${key_.algorithm}, ${agent ?? 'without an agent'}`, () => {
        const { host, pathname } = new URL(url);
        const headers = { signature, 'signature-input': input, ...(agent && { 'signature-agent': agent }) };
        const request = {
          method: 'GET',
          scheme: 'https',
          authority: host,
          target: pathname,
          headers,
        } as const;
        assert.ok(isVerified(request, key_));
        assert.ok(!isVerified({ ...request, authority: 'other.example' }, key_));
        assert.ok(input.includes(`keyid="${key_.keyid}"`));
      });
    }
  }

  for (const vector of vectorsIn<
    readonly {
      readonly name: string;
      readonly header: string;
      readonly entries: readonly { readonly label: string; readonly uri: string; readonly type: string }[];
    }[]
  >('signature-agent-v1')) {
    it(`Signature-Agent: ${vector.name}`, () => {
      const reading = readSignatureAgent(vector.header);
      assert.ok(reading.kind === 'valid' && reading.value.form === 'dictionary');
      const members = [...reading.value.members].map(([label, member]) => ({ label, ...member }));
      assert.deepEqual(members, vector.entries);
    });
  }

  it('name the documents that their keys are in', () => {
    const at = (uri: string, type = 'directory') => keysAddress({ uri, type });
    assert.equal(KEY_DIRECTORY_PATH, '/.well-known/http-message-signatures-directory');
    const directory = `https://agent.test${KEY_DIRECTORY_PATH}`;
    assert.equal(at('https://agent.test'), directory);
    assert.equal(at('HTTPS://Agent.test:443/'), directory);
    assert.equal(at('https://agent.test/keys?x=1#y', 'jwks_uri'), 'https://agent.test/keys');
    assert.equal(at('https://agent.test/card', 'cimd'), null);
    assert.equal(at('https://agent.test/path'), null);
    assert.equal(at('https://agent.test/?x'), null);
    assert.equal(at('http://agent.test'), null);
    assert.equal(at('https://user@agent.test'), null);
    assert.equal(at('agent.test'), null);
  });
});

function isVerified(request: RequestParts, key: SignatureKey): boolean {
  const { headers } = request;
  const reading = readSignatures({
    signatureInput: String(headers['signature-input']),
    signature: String(headers.signature),
  });
  assert.ok(reading.kind === 'valid');
  const [member] = reading.value;
  assert.ok(member?.signature);
  const base = signatureBase(member.input, componentValuesOf(request));
  return base.kind === 'valid' && isSignedBy(key, base.value, member.signature);
}

function keyOf(jwk: JsonWebKey | undefined): SignatureKey {
  const reading = readPublicKey(publicHalf(jwk ?? {}));
  assert.ok(reading.kind === 'valid');
  return reading.value;
}

function vectorsIn<Vectors>(name: string): Vectors {
  return JSON.parse(readFileSync(new URL(`${name}.json`, VECTORS), 'utf8')) as Vectors;
}
