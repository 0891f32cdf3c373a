import assert from 'node:assert/strict';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { temporaryDirectory } from '../../../test/support/temporary-storage.ts';
import type { IssuedQuote } from '../../sessions/quote-ledger.ts';
import { StorageFailure } from '../../sessions/storage-failure.ts';
import { type LedgerOutbox, openLedgerOutbox } from './ledger-outbox.ts';

function aQuote(nxq: string): IssuedQuote {
  return {
    nxq,
    session: 's',
    assistant: 'assistant',
    brand: 'azul',
    property: 'azul:é\n"',
    place: 'calpe',
    checkIn: '2027-05-03',
    checkOut: '2027-05-09',
    guests: 2,
    amount: 41_250,
    currency: 'EUR',
    retrievedAt: 1,
    validUntil: 2,
    details: { guarantee: 'at_retrieval' },
  };
}

const DOWN = new StorageFailure('unreachable', 'It is down.');

/** An outbox and a ledger in memory that can be down, and like the real one takes each quote once. */
async function anOutbox(
  t: TestContext,
  options: { readonly directory?: string; readonly maxBytes?: number } = {},
) {
  const directory = options.directory ?? temporaryDirectory(t);
  const ledger = { fault: undefined as Error | undefined, calls: 0, stored: new Map<string, IssuedQuote>() };
  const writer = {
    async insert(quotes: readonly IssuedQuote[]) {
      ledger.calls += 1;
      if (ledger.fault) throw ledger.fault;
      for (const quote of quotes) ledger.stored.set(quote.nxq, quote);
    },
  };
  const clock = createFakeClock(0);
  const warnings: string[] = [];
  const report = (warning: string) => void warnings.push(warning);
  const outbox = await openLedgerOutbox({ writer, clock, report, ...options, directory });
  t.after(() => outbox.close());
  return { directory, ledger, clock, warnings, outbox };
}

async function appendSettled(outbox: LedgerOutbox, ...names: readonly string[]) {
  for (const name of names) (await outbox.append([aQuote(name)])).settle();
}

describe('the outbox of the ledger', () => {
  it('sends settled quotes whole and in order, and none of a change that was discarded or is undecided', async (t) => {
    const { outbox, ledger } = await anOutbox(t);
    const undecided = await outbox.append([aQuote('q1')]);
    (await outbox.append([aQuote('q2')])).discard();
    (await outbox.append([aQuote('q3'), aQuote('q4')])).settle();
    await outbox.flushed();
    assert.deepEqual([...ledger.stored.values()], [aQuote('q3'), aQuote('q4')]);
    assert.equal(outbox.waiting(), 1);
    undecided.settle();
    undecided.discard();
    await outbox.flushed();
    assert.deepEqual([...ledger.stored.keys()], ['q3', 'q4', 'q1']);
    assert.deepEqual([outbox.waiting(), outbox.waitingBytes()], [0, 0]);
  });

  it('sends by itself after a moment; after failures it pauses, and reports once that quotes wait and once that they do not', async (t) => {
    const { outbox, ledger, clock, warnings } = await anOutbox(t);
    ledger.fault = DOWN;
    await appendSettled(outbox, 'q1');
    await clock.advance(49);
    assert.equal(ledger.calls, 0);
    await clock.advance(1);
    for (const pauseMs of [200, 400, 800, 1_600, 3_200, 5_000, 5_000]) {
      const before: number = ledger.calls;
      await clock.advance(pauseMs - 1);
      assert.equal(ledger.calls, before, `${pauseMs}`);
      await clock.advance(1);
      assert.equal(ledger.calls, before + 1, `${pauseMs}`);
    }
    await assert.rejects(outbox.flushed(), DOWN);
    assert.equal(warnings.length, 1);
    ledger.fault = undefined;
    await outbox.flushed();
    assert.deepEqual([...ledger.stored.keys()], ['q1']);
    assert.equal(warnings.length, 2);
    assert.equal(clock.pendingTimers, 0);
  });

  it('refuses quotes beyond its limit, and takes more once the ledger does', async (t) => {
    const { outbox, ledger } = await anOutbox(t, { maxBytes: 2_000 });
    ledger.fault = DOWN;
    const taken: string[] = [];
    const fill = async () => {
      for (;;) {
        await appendSettled(outbox, `q${taken.length}`);
        taken.push(`q${taken.length}`);
      }
    };
    await assert.rejects(fill(), { kind: 'overloaded' });
    assert.ok(taken.length > 2);
    ledger.fault = undefined;
    await outbox.flushed();
    await appendSettled(outbox, 'more');
    await outbox.flushed();
    assert.deepEqual([...ledger.stored.keys()], [...taken, 'more']);
  });

  it('ends although the ledger is down, and the next start sends what waits, undecided changes too', async (t) => {
    const first = await anOutbox(t);
    first.ledger.fault = DOWN;
    await appendSettled(first.outbox, 'q1', 'q2');
    await first.outbox.append([aQuote('undecided')]);
    (await first.outbox.append([aQuote('discarded')])).discard();
    assert.equal(statSync(join(first.directory, 'outbox.sqlite')).mode & 0o777, 0o600);
    await first.outbox.close();
    assert.equal(first.clock.pendingTimers, 0);
    await assert.rejects(first.outbox.append([aQuote('late')]), { kind: 'closed' });
    const { outbox, ledger } = await anOutbox(t, { directory: first.directory });
    assert.equal(outbox.waiting(), 3);
    await appendSettled(outbox, 'new');
    await outbox.flushed();
    assert.deepEqual([...ledger.stored.keys()], ['q1', 'q2', 'undecided', 'new']);
  });

  it('refuses changes while its file cannot be written, keeps what it had, and recovers by itself', async (t) => {
    const { outbox, ledger, clock, directory } = await anOutbox(t);
    await appendSettled(outbox, 'q1');
    const other = new DatabaseSync(join(directory, 'outbox.sqlite'));
    t.after(() => other.close());
    other.exec('BEGIN IMMEDIATE');
    await assert.rejects(outbox.append([aQuote('q2')]), { kind: 'busy' });
    assert.deepEqual([outbox.writeFault(), await outbox.checkWrites()], ['busy', 'busy']);
    other.exec('ROLLBACK');
    await clock.advance(5_000);
    while (outbox.writeFault()) await new Promise(setImmediate);
    await appendSettled(outbox, 'q3');
    await outbox.flushed();
    assert.deepEqual([[...ledger.stored.keys()], outbox.waiting()], [['q1', 'q3'], 0]);
  });

  it('refuses to start over unsent quotes of version 0.1', async (t) => {
    const directory = temporaryDirectory(t);
    writeFileSync(join(directory, 'ledger.00000001.queue'), '');
    await assert.rejects(anOutbox(t, { directory }), { kind: 'unknown_format' });
  });
});
