import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLinks, resultPath, searchPath } from './links.ts';

test('addresses are relative without a public origin', () => {
  const links = createLinks(null);
  assert.equal(links.auth(), '/ai/v1/auth');
  assert.equal(links.auth('a&b'), '/ai/v1/auth?source=a%26b');
  assert.equal(links.at('/'), '/');
  assert.equal(links.search('ses_a', 'sw.3.read'), '/ai/v1/search?session=ses_a&idempotency_key=sw.3.read');
  assert.equal(
    links.result('ses_a', 'sw.3.result'),
    '/ai/v1/result?session=ses_a&idempotency_key=sw.3.result',
  );
  assert.equal(
    links.supply('ses_a', 'guests')('2', 'sw.3.0'),
    '/ai/v1/search?session=ses_a&field=guests&value=2&idempotency_key=sw.3.0',
  );
});

test('every address but self_url begins with the public origin where there is one', () => {
  const links = createLinks('https://stay.example');
  const addresses = [
    links.auth(),
    links.auth('casas'),
    links.at('/ai/v1/terms'),
    links.search('ses_a', 'k'),
    links.result('ses_a', 'k'),
    links.supply('ses_a', 'guests')('2', 'k'),
  ];
  for (const address of addresses) assert.ok(address.startsWith('https://stay.example/ai/v1/'), address);
  assert.equal(searchPath('ses_a'), '/ai/v1/search?session=ses_a');
  assert.equal(resultPath('ses_a'), '/ai/v1/result?session=ses_a');
});

test('a value survives the way into the address and back, whatever it holds', () => {
  const addressOf = createLinks('https://stay.example').supply('ses_a', 'destination');
  for (const value of ['são-paulo', 'a&b=c', 'x?y#z', '50% off', 'a+b', 'line\nbreak', '🏖', '', '"\\']) {
    const { searchParams, hash } = new URL(addressOf(value, 'sw.3.0'));
    assert.equal(searchParams.get('value'), value);
    assert.deepEqual([searchParams.size, searchParams.get('idempotency_key'), hash], [4, 'sw.3.0', '']);
  }
});
