import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLinks, resultPath, searchPath } from './links.ts';

const STATE = { token: 'ses_a', revision: 3, view: 'full' } as const;

test('addresses are relative without a public origin, and carry session, value and key', () => {
  const links = createLinks(null);
  assert.equal(links.auth(), '/ai/v1/auth');
  assert.equal(links.auth(null), '/ai/v1/auth');
  assert.equal(links.auth('a&b'), '/ai/v1/auth?source=a%26b');
  assert.equal(links.at('/'), '/');
  const { read, supply, result, template, valueTemplate } = links.forSession(STATE);
  assert.equal(read(), '/ai/v1/search?session=ses_a&idempotency_key=sw.3.read');
  assert.equal(read('refine'), '/ai/v1/search?session=ses_a&idempotency_key=sw.3.refine');
  assert.equal(result(), '/ai/v1/result?session=ses_a&idempotency_key=sw.3.result');
  assert.equal(
    supply('guests', '2', 0),
    '/ai/v1/search?session=ses_a&field=guests&value=2&idempotency_key=sw.3.0',
  );
  assert.equal(
    template(['check_in_day', 'guests']),
    '/ai/v1/search?session=ses_a&check_in_day={check_in_day}&guests={guests}',
  );
  assert.equal(valueTemplate('guests'), '/ai/v1/search?session=ses_a&field=guests&value={value}');
});

test('every address but self_url begins with the public origin where there is one', () => {
  const links = createLinks('https://stay.example');
  const { read, supply, result, template, valueTemplate } = links.forSession(STATE);
  const addresses = [
    links.auth(),
    links.auth('casas'),
    links.at('/ai/v1/terms'),
    read(),
    result(),
    supply('guests', '2', 0),
    template(['guests']),
    valueTemplate('guests'),
  ];
  for (const address of addresses) assert.ok(address.startsWith('https://stay.example/ai/v1/'), address);
  assert.equal(searchPath('ses_a'), '/ai/v1/search?session=ses_a');
  assert.equal(resultPath('ses_a'), '/ai/v1/result?session=ses_a');
});

test('the compact view is carried on by every address, the full one goes without saying', () => {
  const links = createLinks(null);
  assert.equal(links.auth(null, 'full'), '/ai/v1/auth');
  assert.equal(links.auth(null, 'compact'), '/ai/v1/auth?view=compact');
  assert.equal(links.auth('casas', 'compact'), '/ai/v1/auth?source=casas&view=compact');
  const addressesIn = (view: 'full' | 'compact') => {
    const { read, supply, result, template, valueTemplate } = links.forSession({ ...STATE, view });
    return [
      read(),
      read('refine'),
      result(),
      supply('guests', '2', 0),
      template(['guests']),
      valueTemplate('guests'),
    ];
  };
  assert.deepEqual(
    addressesIn('compact'),
    addressesIn('full').map((address) => `${address}&view=compact`),
  );
});

test('a value survives the way into the address and back, whatever it holds', () => {
  const links = createLinks('https://stay.example').forSession(STATE);
  for (const value of ['são-paulo', 'a&b=c', 'x?y#z', '50% off', 'a+b', 'line\nbreak', '🏖', '', '"\\']) {
    const { searchParams, hash } = new URL(links.supply('destination', value, 0));
    assert.equal(searchParams.get('value'), value);
    assert.deepEqual([searchParams.size, searchParams.get('idempotency_key'), hash], [4, 'sw.3.0', '']);
  }
});
