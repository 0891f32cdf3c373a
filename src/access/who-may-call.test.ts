import assert from 'node:assert/strict';
import { test } from 'node:test';
import { registryOf } from '../../test/support/registry-of.ts';
import { signersWithoutHost } from './who-may-call.ts';

const NO_HOST = { publicUrl: null, hosts: [] };

function signer(id: string, status = 'approved') {
  return { id, name: id, status, recognised_by: [{ signature_agent: `https://${id}.example` }] };
}

test('names every approved assistant that signs, of many the first few', () => {
  const rover = { ...signer('rover'), recognised_by: [{ network: ['192.0.2.0/24'] }] };
  const registry = registryOf(signer('a'), rover, signer('b'), signer('c', 'suspended'));
  assert.deepEqual(signersWithoutHost(registry, NO_HOST), { assistants: ['a', 'b'], others: 0 });
  const many = registryOf(...['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id) => signer(id)));
  assert.deepEqual(signersWithoutHost(many, NO_HOST), { assistants: ['a', 'b', 'c', 'd', 'e'], others: 2 });
  assert.equal(signersWithoutHost(registryOf(rover), NO_HOST), null);
});

test('has nothing to say where a host is named', () => {
  const registry = registryOf(signer('a'));
  assert.equal(signersWithoutHost(registry, { ...NO_HOST, publicUrl: 'https://stays.example' }), null);
  assert.equal(signersWithoutHost(registry, { ...NO_HOST, hosts: ['stays.example'] }), null);
});
