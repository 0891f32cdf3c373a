import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readReportQuery } from './report-pages.ts';

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
  assert.deepEqual([asked.range.from, asked.range.to, asked.faults], ['2026-02-28', '2026-03-01', []]);
  assert.equal(asked.query, '?range=custom&from=2026-02-28&to=2026-03-01');
  const written = readReportQuery({ from: '2026-02-28', to: '2026-03-01' }, about);
  assert.deepEqual(written, asked, 'an address that somebody wrote');
  assert.match(readReportQuery({ from: '2026-02-28' }, about).faults.join(), /^A first and a last day/);
  for (const [from, to, fault] of [
    ['2026-03-02', '2026-03-01', 'The first day is after the last one.'],
    ['2026-02-29', '2026-03-01', 'A day has to be one of the calendar, such as 2027-05-08.'],
    ['2026-11-17', '2026-11-18', 'The last day is in the future.'],
    ['', '2026-03-01', 'A first and a last day are needed.'],
    ['<b>', '"', 'A day has to be one of the calendar, such as 2027-05-08.'],
  ]) {
    const refused = readReportQuery({ range: 'custom', from, to, brand: 'beta' }, about);
    assert.deepEqual([refused.name, refused.range.brand], ['today', 'beta']);
    assert.deepEqual(refused.faults, [`${fault} Shown instead: today.`]);
  }
});

test('days that were chosen are taken over by other pages; those that are usual here or not understood are not', () => {
  const chosenDays = (query: object) => readReportQuery({ ...query }, about).chosenDays;
  assert.equal(chosenDays({ range: '30d', brand: 'beta' }), '?range=30d');
  assert.equal(
    chosenDays({ range: 'custom', from: '2026-02-28', to: '2026-03-01' }),
    '?range=custom&from=2026-02-28&to=2026-03-01',
  );
  for (const query of [{}, { brand: 'beta' }, { range: 'year' }, { range: 'custom', from: '2026-02-28' }]) {
    assert.equal(chosenDays(query), '');
  }
});

test('each fault is said, with what is shown in its place', () => {
  const usual = { ...about, usual: '7d' } as const;
  const brandFault = 'No brand of the network has that name. Shown instead: all brands.';
  assert.deepEqual(readReportQuery({ range: '30d', brand: 'gamma' }, usual).faults, [brandFault]);
  assert.deepEqual(readReportQuery({ range: 'year', brand: 'gamma' }, usual).faults, [
    'That range is not known. Shown instead: the last 7 days.',
    brandFault,
  ]);
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
    assert.ok(!`${asked.query}${asked.faults}`.includes('<script>'));
  }
});
