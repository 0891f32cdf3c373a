import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readReportQuery } from './report-query.ts';

const about = { now: Date.parse('2026-11-17T23:59:59Z'), usual: 'today', brands: ['alpha', 'beta'] } as const;

test('a range is whole days in UTC that end today', () => {
  assert.deepEqual(readReportQuery({}, about).range, { from: '2026-11-17', to: '2026-11-17', brand: null });
  assert.deepEqual(readReportQuery({ range: '7d' }, about).range, {
    from: '2026-11-11',
    to: '2026-11-17',
    brand: null,
  });
  const month = readReportQuery({ range: '30d', brand: 'beta' }, about);
  assert.deepEqual(month.range, { from: '2026-10-19', to: '2026-11-17', brand: 'beta' });
  assert.equal(month.query, '?range=30d&brand=beta');
});

test('any days can be asked for, in order and not in the future', () => {
  const asked = readReportQuery({ range: 'custom', from: '2026-02-28', to: '2026-03-01' }, about);
  assert.deepEqual([asked.range.from, asked.range.to, asked.fault], ['2026-02-28', '2026-03-01', null]);
  assert.equal(asked.query, '?range=custom&from=2026-02-28&to=2026-03-01');
  for (const [from, to] of [
    ['2026-03-02', '2026-03-01'],
    ['2026-02-29', '2026-03-01'],
    ['2026-11-17', '2026-11-18'],
    ['', '2026-03-01'],
    ['<b>', '"'],
  ]) {
    const refused = readReportQuery({ range: 'custom', from, to }, about);
    assert.equal(refused.name, 'today');
    assert.match(refused.fault ?? '', /^Give a first and a last day/);
  }
});

test('what is not known falls back, and is not repeated', () => {
  for (const query of [
    { range: '<script>' },
    { range: ['7d', '30d'] },
    { range: 'constructor' },
    { brand: '<script>' },
  ]) {
    const asked = readReportQuery(query, about);
    assert.equal(asked.name, 'today');
    assert.equal(asked.range.brand, null);
    assert.ok(!`${asked.query}${asked.fault}`.includes('<script>'));
  }
});

test('the brand of an address is not one of the query', () => {
  const asked = readReportQuery({ brand: 'alpha', range: '7d' }, { ...about, brand: 'beta' });
  assert.equal(asked.range.brand, 'beta');
  assert.equal(asked.query, '?range=7d');
});
