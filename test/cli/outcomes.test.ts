import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { IssuedQuote } from '../../src/sessions/quote-ledger.ts';
import { createMemoryOwnerStore } from '../../src/storage/memory/storage.ts';
import { createCommandStage } from '../support/command-stage.ts';
import { createOutcomesInMemory } from '../support/outcomes-in-memory.ts';
import { openSqliteIn } from '../support/temporary-storage.ts';

const QUOTE: IssuedQuote = {
  nxq: 'nxq_known',
  session: 's',
  assistant: 'chatgpt',
  brand: 'casas',
  property: 'casas:1',
  place: 'lisbon-pt',
  checkIn: '2027-05-08',
  checkOut: '2027-05-15',
  guests: 3,
  amount: 40000,
  currency: 'EUR',
  retrievedAt: 5,
  validUntil: 9,
  details: null,
};
const OF_OTHERS: IssuedQuote = { ...QUOTE, nxq: 'nxq_other', brand: 'another' };

async function setUp(t: TestContext) {
  const stage = createCommandStage(t);
  const network = {
    name: 'Atlantic',
    contact: 'owner@atlantic.example',
    places: [{ id: 'lisbon-pt', name: 'Lisbon', kind: 'city', time_zone: 'Europe/Lisbon', currency: 'EUR' }],
    brands: [
      {
        source: 'casas',
        name: 'Casas',
        all_in_totals: true,
        website: { hosts: ['casas.example'] },
        booking_system: { kind: 'open', url: 'https://ops.casas.example' },
      },
    ],
  };
  writeFileSync(join(stage.directory, 'network.jsonc'), JSON.stringify(network));
  const outcomes = createOutcomesInMemory();
  const tools = {
    openOwnerStore: async () => ({
      ...createMemoryOwnerStore(),
      outcomes,
      ledger: {
        findQuotes: async (question: object) =>
          [QUOTE, OF_OTHERS].filter(({ nxq }) => 'nxq' in question && question.nxq === nxq),
      },
      close: async () => undefined,
    }),
  };
  const write = (...lines: readonly string[]) =>
    writeFileSync(join(stage.directory, 'bookings.csv'), lines.join('\n'));
  const run = (...more: readonly string[]) =>
    stage.run(['outcomes', 'import', 'bookings.csv', '--brand', 'casas', ...more], { tools });
  const runOnFolder = (data: string) =>
    stage.run(['outcomes', 'import', 'bookings.csv', '--brand', 'casas', '--data', data]);
  return { run, runOnFolder, write, outcomes, directory: stage.directory };
}

const HEADER = 'status,reference,quote,booked_at,amount,currency';

describe('an import of bookings', () => {
  it('takes what can be read, names each faulty line, and counts nothing twice', async (t) => {
    const { run, write, outcomes } = await setUp(t);
    write(
      HEADER,
      'booked,R1,nxq_known,2026-11-01T10:00:00Z,412.50,EUR',
      'booked,R2,,2026-11-01T10:00:00Z,412.505,EUR',
      'booked,R3,,2026-11-01T10:00:00Z,100,EUR',
    );
    const first = await run();
    assert.equal(first.code, 1, first.notes);
    assert.match(first.output, /casas: 2 bookings, 2 of them new; 1 followed a quote of this brand\./);
    assert.match(first.output, /line 3: amount is not an exact amount of this currency: 412\.505/);
    assert.match(first.output.replaceAll(/\s+/g, ' '), /→ give what the traveller was charged/);

    write(
      HEADER,
      'booked,R1,nxq_known,2026-11-01T10:00:00Z,412.50,EUR',
      'cancelled,R1,nxq_known,2026-11-01T10:00:00Z,412.50,EUR',
      'booked,R2,,2026-11-01T10:00:00Z,412.50,EUR',
      'booked,R3,,2026-11-01T10:00:00Z,100,EUR',
    );
    const again = await run('--json');
    assert.equal(again.code, 0);
    const {
      bookings,
      new_bookings: isNew,
      with_quote: withQuote,
      faulty_lines: faulty,
    } = JSON.parse(again.output);
    assert.deepEqual([bookings, isNew, withQuote, faulty], [3, 1, 1, 0]);
    assert.deepEqual(
      (await outcomes.all()).map(({ reference, status, amount, quote }) => [
        reference,
        status,
        amount,
        quote?.amount,
      ]),
      [
        ['R1', 'cancelled', 41250, 40000],
        ['R2', 'booked', 41250, undefined],
        ['R3', 'booked', 10000, undefined],
      ],
    );
  });

  it('tells quotes of another brand from unknown ones, and takes several bookings of one quote', async (t) => {
    const { run, write } = await setUp(t);
    const booking = (reference: string, quote: string) =>
      `booked,${reference},${quote},2026-11-01T10:00:00Z,100,EUR`;
    write(
      HEADER,
      booking('R1', 'nxq_known'),
      booking('R2', 'nxq_known'),
      booking('R3', 'nxq_other'),
      booking('R4', 'nxq_gone'),
      booking('R5', 'nxq_lost'),
      booking('R6', ''),
    );
    const { output } = await run();
    const text = output.replaceAll(/\s+/g, ' ');
    assert.match(text, /6 bookings, 6 of them new; 2 followed a quote of this brand\./);
    assert.match(text, /with a quote of another brand: 1 booking\./);
    assert.match(text, /with a quote that is not, or no longer, known: 2 bookings\./);
    const { quotes_of_other_brands: others, unknown_quotes: unknown } = JSON.parse(
      (await run('--json')).output,
    );
    assert.deepEqual([others, unknown], [1, 2]);
  });

  it('asks for commas where a file has others between its columns, and for a currency that exists', async (t) => {
    const { run, write, outcomes } = await setUp(t);
    write(HEADER.replaceAll(',', ';'), 'booked;R1;;2026-11-01T10:00:00Z;100;EUR');
    const semicolons = await run();
    assert.equal(semicolons.code, 2);
    assert.match(
      semicolons.notes.replaceAll(/\s+/g, ' '),
      /bookings\.csv:1: its columns are separated by semicolons; separate them by commas/,
    );
    write(HEADER, 'booked,R1,,2026-11-01T10:00:00Z,100,XXQ');
    const currency = await run();
    assert.equal(currency.code, 1);
    assert.match(currency.output, /line 2: currency is not the code of a currency: XXQ/);
    assert.deepEqual(await outcomes.all(), []);
  });

  it('is refused for a folder in which no service keeps its data, and leaves nothing there', async (t) => {
    const { runOnFolder, write, directory } = await setUp(t);
    write(HEADER, 'booked,R1,,2026-11-01T10:00:00Z,100,EUR');
    mkdirSync(join(directory, 'elsewhere'));
    const refused = await runOnFolder('elsewhere');
    assert.equal(refused.code, 2, refused.output);
    assert.match(
      refused.notes.replaceAll(/\s+/g, ' '),
      /There is no data of a service in .*elsewhere\. .* with --data/,
    );
    assert.deepEqual(readdirSync(join(directory, 'elsewhere')), []);
    const service = await openSqliteIn(join(directory, 'elsewhere'));
    t.after(() => service.close());
    const taken = await runOnFolder('elsewhere');
    assert.equal(taken.code, 0, taken.notes);
    assert.equal(await service.outcomes.count('casas'), 1);
  });

  it('says what is wrong with a file, a brand or a line, and what to do', async (t) => {
    const { run, write, outcomes } = await setUp(t);
    const missing = await run();
    assert.equal(missing.code, 2);
    assert.match(missing.notes, /there is no file .*bookings\.csv/);
    write('reference,status', 'R1,booked');
    const columns = await run();
    assert.equal(columns.code, 2);
    assert.match(columns.notes, /bookings\.csv:1: there is no column quote, booked_at, amount, currency/);
    write(HEADER, 'booked,R1,,2026-11-01T10:00:00Z,1,EUR');
    const other = await run('--brand', 'nobody');
    assert.equal(other.code, 2);
    assert.match(other.notes, /There is no brand nobody on this network/);
    assert.deepEqual(await outcomes.all(), []);
  });
});
