import assert from 'node:assert/strict';
import { appendFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { temporaryDirectory } from '../../../test/support/temporary-storage.ts';
import type { IssuedQuote } from '../../sessions/quote-ledger.ts';
import { StorageFailure, type StorageFailureKind } from '../../sessions/storage-failure.ts';
import { type LedgerFiles, lineOfQuotes, openLedgerFiles } from './ledger-files.ts';
import { type LedgerQueue, type LedgerQueueOptions, openLedgerQueue } from './ledger-queue.ts';

function aQuote(nxq: string): IssuedQuote {
  return {
    nxq,
    session: 's',
    assistant: 'assistant',
    brand: 'azul',
    property: 'azul:1',
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

/** A ledger in memory that can be down, and like the real one takes each quote once. */
function aLedger() {
  const ledger = {
    fault: undefined as Error | undefined,
    calls: [] as string[][],
    stored: new Set<string>(),
    async insert(quotes: readonly IssuedQuote[]) {
      ledger.calls.push(quotes.map(({ nxq }) => nxq));
      if (ledger.fault) throw ledger.fault;
      for (const { nxq } of quotes) ledger.stored.add(nxq);
    },
  };
  return ledger;
}

const DOWN = new StorageFailure('unreachable', 'It is down.');

async function aQueue(t: TestContext, options: Partial<LedgerQueueOptions> = {}) {
  const directory = options.directory ?? temporaryDirectory(t);
  const ledger = aLedger();
  const clock = createFakeClock(0);
  const warnings: string[] = [];
  const queue = await openLedgerQueue({
    writer: ledger,
    clock,
    report: (warning) => warnings.push(warning),
    ...options,
    directory,
  });
  t.after(() => queue.close());
  return { directory, ledger, clock, warnings, queue };
}

const files = (directory: string) => readdirSync(directory).sort();
const isFailure = (kind: StorageFailureKind) => (error: unknown) =>
  error instanceof StorageFailure && error.kind === kind;

async function kept(queue: LedgerQueue, ...names: readonly string[]) {
  for (const name of names) (await queue.append([aQuote(name)])).settle();
}

/** As if the process had been killed: nothing more is sent or written, and the files stay. */
async function left(t: TestContext, act: (queue: LedgerQueue) => Promise<void>): Promise<string> {
  const { directory, queue, ledger } = await aQueue(t);
  ledger.fault = DOWN;
  await act(queue);
  return directory;
}

describe('the queue of the ledger', () => {
  it('sends what was settled, whole and in order', async (t) => {
    const { queue, ledger } = await aQueue(t);
    const quotes = [aQuote('q1'), { ...aQuote('q2'), property: 'azul:é\n"' }];
    const sent: IssuedQuote[] = [];
    ledger.insert = async (some) => void sent.push(...some);
    (await queue.append(quotes)).settle();
    await queue.flushed();
    assert.deepEqual(sent, quotes);
    assert.equal(queue.waiting(), 0);
  });

  it('sends what an earlier release has left, which knew neither places nor details', async (t) => {
    const directory = temporaryDirectory(t);
    const { place: _place, details: _details, ...old } = aQuote('q1');
    writeFileSync(join(directory, 'ledger.00000001.queue'), lineOfQuotes(1, [old as IssuedQuote]));
    const sent: IssuedQuote[] = [];
    const queue = await openLedgerQueue({
      directory,
      writer: { insert: async (quotes) => void sent.push(...quotes) },
      clock: createFakeClock(0),
    });
    t.after(() => queue.close());
    await queue.flushed();
    assert.deepEqual(sent, [{ ...old, place: '', details: null }]);
  });

  it('sends nothing of a change that was not stored, or of which nobody knows yet', async (t) => {
    const { queue, ledger } = await aQueue(t);
    const undecided = await queue.append([aQuote('q1')]);
    (await queue.append([aQuote('q2')])).discard();
    await kept(queue, 'q3');
    await queue.flushed();
    assert.deepEqual([...ledger.stored], ['q3']);
    assert.equal(queue.waiting(), 1);
    undecided.settle();
    undecided.discard();
    await queue.flushed();
    assert.deepEqual([...ledger.stored], ['q3', 'q1']);
  });

  it('keeps no file for a change without quotes', async (t) => {
    const { queue, directory } = await aQueue(t);
    (await queue.append([])).settle();
    assert.deepEqual(files(directory), []);
  });

  it('waits once for the disk for all that is appended during the wait before', async (t) => {
    const directory = temporaryDirectory(t);
    const disk = openLedgerFiles(directory);
    let waits = 0;
    const counting: LedgerFiles = {
      ...disk,
      create: async (number) => {
        const file = await disk.create(number);
        const append = (lines: Uint8Array, offset: number) => {
          waits += 1;
          return file.append(lines, offset);
        };
        return { ...file, append };
      },
    };
    const { queue, ledger } = await aQueue(t, { directory, files: counting });
    const names = Array.from({ length: 100 }, (_, at) => `q${at}`);
    for (const entries of await Promise.all(names.map((name) => queue.append([aQuote(name)])))) {
      entries.settle();
    }
    await queue.flushed();
    assert.equal(waits, 1);
    assert.deepEqual([...ledger.stored], names);
  });

  it('sends the same quotes again after a failure, and says once that they wait and once that they do not', async (t) => {
    const { queue, ledger, clock, warnings } = await aQueue(t);
    ledger.fault = DOWN;
    await kept(queue, 'q1');
    for (let time = 0; time < 3; time += 1) await assert.rejects(queue.flushed(), DOWN);
    assert.equal(warnings.length, 1);
    ledger.fault = undefined;
    await queue.flushed();
    assert.deepEqual([...ledger.stored], ['q1']);
    assert.equal(warnings.length, 2);
    assert.equal(clock.pendingTimers, 0);
  });

  it('refuses what is too much, and takes more once the ledger does', async (t) => {
    const { queue, ledger } = await aQueue(t, { maxBytes: 2_000 });
    ledger.fault = DOWN;
    const taken: string[] = [];
    const fill = async () => {
      for (;;) {
        const name = `q${taken.length}`;
        await kept(queue, name);
        taken.push(name);
      }
    };
    await assert.rejects(fill(), isFailure('overloaded'));
    assert.ok(taken.length > 2);
    ledger.fault = undefined;
    await queue.flushed();
    assert.deepEqual([...ledger.stored], taken);
    await kept(queue, 'more');
    await queue.flushed();
    assert.ok(ledger.stored.has('more'));
  });

  it('deletes files whose quotes are all in the ledger, and the last of them at the end', async (t) => {
    const { queue, directory, ledger } = await aQueue(t, { fileBytes: 1_000 });
    ledger.fault = DOWN;
    await kept(queue, ...Array.from({ length: 20 }, (_, at) => `q${at}`));
    assert.ok(files(directory).length > 3);
    for (const name of files(directory)) assert.equal(statSync(join(directory, name)).mode & 0o777, 0o600);
    ledger.fault = undefined;
    await queue.flushed();
    assert.ok(files(directory).length <= 1);
    await queue.close();
    assert.deepEqual(files(directory), []);
    await assert.rejects(queue.append([aQuote('late')]), isFailure('closed'));
  });

  it('ends although the ledger is down, and leaves what waits to the next start', async (t) => {
    const first = await aQueue(t);
    first.ledger.fault = DOWN;
    await kept(first.queue, 'q1', 'q2');
    await first.queue.close();
    assert.equal(first.clock.pendingTimers, 0);
    const { queue, ledger } = await aQueue(t, { directory: first.directory });
    assert.equal(queue.waiting(), 2);
    await queue.flushed();
    assert.deepEqual([...ledger.stored], ['q1', 'q2']);
  });
});

describe('the queue of the ledger after a crash', () => {
  it('sends what was not discarded, settled or not, and goes on with other names of files', async (t) => {
    const directory = await left(t, async (queue) => {
      await kept(queue, 'settled');
      await queue.append([aQuote('undecided')]);
      (await queue.append([aQuote('discarded')])).discard();
      // The word that it was discarded is on the disk with the next change.
      await kept(queue, 'last');
    });
    const { queue, ledger } = await aQueue(t, { directory });
    await kept(queue, 'new');
    await queue.flushed();
    assert.deepEqual([...ledger.stored], ['settled', 'undecided', 'last', 'new']);
  });

  it('leaves out a last line that is not whole, wherever it was cut', async (t) => {
    const directory = await left(t, (queue) => kept(queue, 'q1', 'q2'));
    const [name = ''] = files(directory);
    const whole = readFileSync(join(directory, name));
    const secondLine = whole.indexOf('\n') + 1;
    for (let length = secondLine; length < whole.length; length += 1) {
      writeFileSync(join(directory, name), whole.subarray(0, length));
      const { queue, ledger, warnings } = await aQueue(t, { directory });
      await queue.flushed();
      assert.deepEqual([[...ledger.stored], warnings], [['q1'], []], `cut at ${length}`);
      await queue.close();
    }
    writeFileSync(join(directory, name), whole);
    appendFileSync(join(directory, name), Buffer.alloc(4096));
    const { queue, ledger } = await aQueue(t, { directory });
    await queue.flushed();
    assert.deepEqual([...ledger.stored], ['q1', 'q2'], 'zeros that a power failure left');
  });

  it('sends what is whole of a damaged file, keeps a copy of it, and says so', async (t) => {
    const directory = await left(t, (queue) => kept(queue, 'q1', 'q2', 'q3'));
    const [name = ''] = files(directory);
    const content = readFileSync(join(directory, name), 'utf8').replace('"q2"', '"q7"');
    writeFileSync(join(directory, name), content);
    const { queue, ledger, warnings } = await aQueue(t, { directory });
    await queue.flushed();
    assert.deepEqual([...ledger.stored], ['q1', 'q3']);
    assert.match(warnings.join(), /damaged/);
    await queue.close();
    assert.deepEqual(files(directory), [`${name}.damaged`]);
    assert.equal(readFileSync(join(directory, `${name}.damaged`), 'utf8'), content);
  });
});

describe('the queue of the ledger on a disk that fails', () => {
  async function onFailingDisk(t: TestContext, code: string) {
    const directory = temporaryDirectory(t);
    const plain = openLedgerFiles(directory);
    const disk = { fails: false };
    const failing: LedgerFiles = {
      ...plain,
      create: async (number) => {
        const file = await plain.create(number);
        return {
          ...file,
          async append(lines, offset) {
            // A part of it gets to the disk, as on one that gets full.
            await file.append(disk.fails ? lines.subarray(0, lines.length - 3) : lines, offset);
            if (disk.fails) throw code;
          },
        };
      },
    };
    return { disk, ...(await aQueue(t, { directory, files: failing })) };
  }

  it('refuses the change, keeps what it had acknowledged, and recovers', async (t) => {
    const { disk, queue, directory, ledger } = await onFailingDisk(t, 'the disk fails');
    ledger.fault = DOWN;
    await kept(queue, 'q1');
    disk.fails = true;
    await assert.rejects(queue.append([aQuote('q2')]), /the disk fails/);
    assert.equal(queue.writeFault(), 'input_output');
    disk.fails = false;
    await kept(queue, 'q3');
    assert.equal(queue.writeFault(), null);
    const again = await aQueue(t, { directory });
    await again.queue.flushed();
    assert.deepEqual([...again.ledger.stored], ['q1', 'q3']);
    assert.deepEqual(again.warnings, []);
  });

  it('tries for whoever has something to write, and leaves nothing by that', async (t) => {
    const { disk, queue, directory } = await onFailingDisk(t, 'the disk is full');
    assert.equal(await queue.checkWrites(), null);
    disk.fails = true;
    await assert.rejects(queue.append([aQuote('q1')]));
    assert.deepEqual(await Promise.all([queue.checkWrites(), queue.checkWrites()]), [
      'input_output',
      'input_output',
    ]);
    disk.fails = false;
    assert.deepEqual(await Promise.all([queue.checkWrites(), queue.checkWrites()]), [null, null]);
    assert.equal(queue.writeFault(), null);
    await queue.close();
    const again = await aQueue(t, { directory });
    assert.deepEqual([again.queue.waiting(), again.warnings], [0, []]);
  });

  it('finds out by itself when it can write again, and leaves nothing by that', async (t) => {
    const { disk, clock, queue, directory } = await onFailingDisk(t, 'the disk is full');
    disk.fails = true;
    await assert.rejects(queue.append([aQuote('q1')]));
    const passTime = async () => {
      await clock.advance(5000);
      await new Promise(setImmediate);
    };
    for (let times = 0; times < 3; times += 1) await passTime();
    assert.equal(queue.writeFault(), 'input_output');
    disk.fails = false;
    while (queue.writeFault()) await passTime();
    await queue.close();
    const again = await aQueue(t, { directory });
    assert.deepEqual([again.queue.waiting(), again.warnings], [0, []]);
  });

  it('tells a folder that cannot be written', async (t) => {
    const { queue, directory } = await aQueue(t);
    writeFileSync(join(directory, 'ledger.00000001.queue'), 'in the way');
    await assert.rejects(queue.append([aQuote('q1')]), isFailure('input_output'));
    await kept(queue, 'q2');
  });
});
