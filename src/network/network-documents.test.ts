import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import Ajv2020 from 'ajv/dist/2020.js';
import { openLoopbackClient } from '../../test/support/loopback-client.ts';
import { noAccounts } from '../../test/support/unused-accounts.ts';
import { systemClock } from '../clock.ts';
import { connectBookingSystem } from '../connectors/connect.ts';
import { CONNECTORS } from '../connectors/connectors.ts';
import { createFeedPace } from '../connectors/icalendar/fetch-feed.ts';
import { createInlineIntake } from '../connectors/shared/intake/run-task.ts';
import { systemRandom } from '../random.ts';
import { parseDay } from '../stay/day.ts';
import { parseAmount } from '../stay/money.ts';
import { NETWORK_DOCUMENTS } from './network-documents.ts';
import { readNetwork } from './read-network.ts';

const pathOf = (name: string) => fileURLToPath(new URL(`../../docs/${name}`, import.meta.url));
const textOf = (name: string) => readFileSync(pathOf(name), 'utf8');
const patient = new AbortController().signal;
const day = (text: string) => parseDay(text) ?? Number.NaN;

/** Fenced examples: the word after `json` names the schema that they follow. */
function examplesIn(name: string): { readonly schema: string; readonly json: string }[] {
  return [...textOf(name).matchAll(/^```json ?(\w*)\n(.*?)^```$/gms)].map(([, schema = '', json = '']) => ({
    schema,
    json,
  }));
}

describe('the published documents', () => {
  for (const [name, documentFrom] of Object.entries(NETWORK_DOCUMENTS)) {
    it(`docs/${name} is what the code says; npm run generate writes it`, () => {
      assert.equal(textOf(name), documentFrom(textOf(name)));
    });
  }
});

describe('the document of the operator protocol', () => {
  const ajv = new Ajv2020.default({ strict: true, allowUnionTypes: true });
  ajv.addSchema(JSON.parse(textOf('operator-protocol.schema.json')), 'protocol');
  const examples = examplesIn('operator-protocol.md');

  it('shows every request and answer', () => {
    assert.deepEqual(
      examples.map(({ schema }) => schema),
      [
        'CataloguePage',
        'CalendarsRequest',
        'CalendarsAnswer',
        'QuotesRequest',
        'QuotesAnswer',
        'BookingsPage',
      ],
    );
  });

  for (const { schema, json } of examples) {
    it(`shows a ${schema} that follows its schema`, () => {
      const validate = ajv.getSchema(`protocol#/$defs/${schema}`);
      assert.ok(validate);
      assert.ok(validate(JSON.parse(json)), JSON.stringify(validate.errors));
      assert.equal(validate({}), false);
    });
  }

  it('shows a breakdown that adds up', () => {
    const answer = examples.find(({ schema }) => schema === 'QuotesAnswer');
    const [quote] = JSON.parse(answer?.json ?? '').quotes;
    const cents = (text: string) => parseAmount(text, 'EUR') ?? Number.NaN;
    const lines: readonly { amount: string }[] = quote.lines;
    assert.equal(
      lines.reduce((sum, { amount }) => sum + cents(amount), 0),
      cents(quote.total),
    );
  });
});

describe('the document of the network file', () => {
  const reading = readNetwork(pathOf('examples/network.json'), { env: { CASAS_TOKEN: 'secret' } });
  const settings = () => {
    assert.ok(reading.kind === 'valid', JSON.stringify(reading));
    return reading.value;
  };

  it('has a section for every kind of booking system', () => {
    const kinds = [...textOf('network-file.md').matchAll(/^### `"kind": "(.*)"`$/gm)].map(([, kind]) => kind);
    assert.deepEqual(
      kinds,
      CONNECTORS.map(({ kind }) => kind),
      'npm run generate writes the sections',
    );
  });

  it('shows the example as it is, and it loads', () => {
    const [example] = examplesIn('network-file.md');
    assert.deepEqual(JSON.parse(example?.json ?? ''), JSON.parse(textOf('examples/network.json')));
    assert.deepEqual([...settings().connections.keys()], ['casas', 'moinho']);
    const validate = new Ajv2020.default({ strict: true, allowUnionTypes: true }).compile(
      JSON.parse(textOf('network-file.schema.json')),
    );
    assert.ok(validate(JSON.parse(example?.json ?? '')), JSON.stringify(validate.errors));
  });

  it('leads to a rate card from which stays can be quoted', async () => {
    const { network, connections } = settings();
    const connection = connections.get('moinho');
    assert.ok(connection);
    const system = connectBookingSystem(connection, {
      network,
      store: { saveDocument: async () => undefined, document: async () => undefined },
      clock: { ...systemClock, now: () => Date.UTC(2027, 0, 1) },
      openClient: openLoopbackClient,
      openAccount: noAccounts,
      feedPace: createFeedPace({ clock: systemClock, random: systemRandom }),
      intake: createInlineIntake(network),
    });
    const { properties, rejections } = await system.catalogue(patient);
    assert.deepEqual(rejections, []);
    assert.deepEqual(
      properties.map(({ id }) => id),
      ['moinho:mill'],
    );
    const stay = {
      references: ['mill'],
      checkIn: day('2027-10-04'),
      checkOut: day('2027-10-11'),
      guests: 5,
      currency: 'EUR',
    };
    const [outcome] = await system.quote(stay, patient);
    assert.ok(outcome?.kind === 'quoted');
    // 5 × 140 + 2 × 165 = 1,030; a fifth guest 105; less 5 % 56.75; cleaning 90; 6 % of 1,168.25 is 70.10; 5 × 7 × 2 tax.
    assert.equal(outcome.quote.total, 130_835);
    await system.close();
  });

  it('connects each brand by its kind', async () => {
    const { network, connections } = settings();
    const connection = connections.get('casas');
    assert.ok(connection);
    const system = connectBookingSystem(connection, {
      network,
      store: { saveDocument: async () => undefined, document: async () => undefined },
      clock: systemClock,
      openClient: openLoopbackClient,
      openAccount: noAccounts,
      feedPace: createFeedPace({ clock: systemClock, random: systemRandom }),
      intake: createInlineIntake(network),
    });
    assert.equal(system.brand, 'casas');
    assert.deepEqual(system.limits, { batchSize: 20, concurrency: 8, timeoutMs: 4000 });
    await system.close();
    const nobody = { ...connection, brand: 'nobody' };
    assert.throws(() =>
      connectBookingSystem(nobody, {
        network,
        store: { saveDocument: async () => undefined, document: async () => undefined },
        clock: systemClock,
        openClient: openLoopbackClient,
        openAccount: noAccounts,
        feedPace: createFeedPace({ clock: systemClock, random: systemRandom }),
        intake: createInlineIntake(network),
      }),
    );
  });
});
