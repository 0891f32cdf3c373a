import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  readRefineArguments,
  readSearchArguments,
  readShowArguments,
  readSource,
  type SearchArguments,
} from './tool-arguments.ts';

const NOTHING: SearchArguments = {
  session: null,
  source: null,
  values: {},
  amenities: [],
  view: { sort: 'price', max_total: null, free_cancellation: false, max_options: 5 },
};

test('fields go to the interface as they came, unknown ones too, so that it can say what was meant', () => {
  const read = readSearchArguments({
    session: 'ses_a',
    destination: 'Lisbon',
    guests: '2',
    check_in: '2027-05-08',
    amenities: 'pool',
    max_total: 900,
    sort: 'rating',
  });
  assert.deepEqual(read, {
    kind: 'valid',
    value: {
      session: 'ses_a',
      source: null,
      values: { destination: 'Lisbon', guests: '2', check_in: '2027-05-08' },
      amenities: ['pool'],
      view: { sort: 'rating', max_total: 900, free_cancellation: false, max_options: 5 },
    },
  });
});

test('five options are shown unless more or fewer are asked for, and never more than twenty', () => {
  const shown = (max_options: unknown) => {
    const read = readSearchArguments({ max_options });
    return read.kind === 'valid' ? read.value.view.max_options : read.faults;
  };
  assert.deepEqual([undefined, null, '', 1, '12', 20, 50].map(shown), [5, 5, 5, 1, 12, 20, 20]);
  for (const wrong of [0, -3, 2.5, 'all', [5]]) {
    assert.deepEqual(shown(wrong), ['max_options must be a whole number from 1 to 20.']);
  }
});

test('every argument that cannot be read is named, all of them at once', () => {
  const read = readSearchArguments({
    session: 7,
    source: ['casas'],
    amenities: [1],
    max_total: 'cheap',
    free_cancellation: 'yes',
    sort: 'distance',
  });
  assert.equal(read.kind, 'invalid');
  const faults = read.kind === 'invalid' ? read.faults.join('\n') : '';
  for (const name of ['session', 'source', 'amenities', 'max_total', 'free_cancellation', 'sort']) {
    assert.match(faults, new RegExp(`^${name} must`, 'm'));
  }
});

test('a tool that has no such argument says so, and which tool has', () => {
  const refused = (read: { readonly kind: string; readonly faults?: readonly string[] }) =>
    read.faults?.join(' ');
  assert.match(
    refused(readRefineArguments({ session: 'ses_a', guests: 2 })) ?? '',
    /guests is changed with search_stays/,
  );
  assert.match(
    refused(readRefineArguments({ session: 'ses_a', amenties: ['pool'] })) ?? '',
    /no argument amenties; there are: session, amenities/,
  );
  assert.match(refused(readShowArguments({ session: 'ses_a', rank: 1, id: 'x' })) ?? '', /no argument id/);
  assert.match(
    refused(readSource({ country: 'Portugal' })) ?? '',
    /no argument country; there are: source\./,
  );
});

test('a set is refined and an option shown only with the session it is in', () => {
  assert.equal(readRefineArguments({ amenities: ['pool'] }).kind, 'invalid');
  assert.equal(readShowArguments({ rank: 1 }).kind, 'invalid');
  assert.deepEqual(readRefineArguments({ session: 'ses_a', clear_filters: true }), {
    kind: 'valid',
    value: { session: 'ses_a', amenities: [], clearFilters: true, isForCard: false, view: NOTHING.view },
  });
});

test('an option is named by its property or by its rank', () => {
  const wanted = (args: object) => {
    const read = readShowArguments({ session: 'ses_a', ...args });
    return read.kind === 'valid' ? read.value.wanted : 'invalid';
  };
  assert.deepEqual(wanted({ property_id: 'casas:1', rank: 2 }), { property_id: 'casas:1' });
  assert.deepEqual(wanted({ rank: 2 }), { rank: 2 });
  assert.deepEqual(wanted({ rank: '3' }), { rank: 3 });
  for (const args of [{}, { rank: 0 }, { rank: 1.5 }, { rank: 'first' }, { property_id: 7 }]) {
    assert.equal(wanted(args), 'invalid', JSON.stringify(args));
  }
});
