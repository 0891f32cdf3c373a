import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BookingSystemFailure, type FailureKind } from '../../../limits/booking-system-failure.ts';
import { type PageEnd, readPages } from './vendor-calls.ts';

async function read(pageAt: (page: number) => PageEnd) {
  const asked: number[] = [];
  await readPages({ of: 'homes', max: 5 }, async (page) => {
    asked.push(page);
    return pageAt(page);
  });
  return asked;
}
const isKind = (kind: FailureKind) => (error: unknown) =>
  error instanceof BookingSystemFailure && error.kind === kind;

describe('pages', () => {
  it('are read one after the other, up to the last', async () => {
    assert.deepEqual(await read((page) => ({ isLast: page === 2 })), [0, 1, 2]);
    assert.deepEqual(await read((page) => ({ isLast: page === 4, mark: String(page) })), [0, 1, 2, 3, 4]);
  });

  it('are too many when there is no end', async () => {
    await assert.rejects(
      read(() => ({ isLast: false })),
      isKind('too_large'),
    );
  });

  it('are refused when one comes again, also as the last', async () => {
    await assert.rejects(
      read((page) => ({ isLast: false, mark: ['a', 'b', 'a'][page] ?? null })),
      isKind('garbled'),
    );
    await assert.rejects(
      read((page) => ({ isLast: page === 1, mark: 'a' })),
      isKind('garbled'),
    );
  });
});
