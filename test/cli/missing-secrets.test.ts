import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { addPlaces, createCommandStage } from '../support/command-stage.ts';
import { plainListing } from '../support/plain-listing.ts';

const COMMANDS = ['sync', 'check'] as const;
const WRONG_KEY = 'f'.repeat(64);
const SITE = new URL(plainListing.url).host;

/** A brand without secrets that can be read, one with an account, and one with a token. */
async function setUp(t: TestContext) {
  const stage = createCommandStage(t);
  await stage.run(['init']);
  addPlaces(stage.directory);
  const lines = [
    { type: 'property', ...plainListing, reference: 'a', place: 'Lisbon' },
    {
      type: 'calendar',
      property: 'a',
      periods: [{ from: '2027-05-01', to: '2027-05-10', available: true, price: '100.00' }],
    },
  ];
  writeFileSync(join(stage.directory, 'homes.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'));
  const hosts = [SITE, ...plainListing.images.map(({ url }) => new URL(url).host)];
  const imported = await stage.run([
    ...['import', 'plain', 'homes.jsonl', '--brand', 'casas'],
    ...hosts.flatMap((host) => ['--host', host]),
  ]);
  assert.equal(imported.code, 0, imported.notes);
  const website = {
    hosts: ['harbor.example'],
    stay_url: 'https://harbor.example/{reference}?{check_in}{check_out}',
  };
  const system = { url: 'https://127.0.0.1:1/', token_variable: 'MILL_TOKEN' };
  const others = [
    brandEntry('harbor', { kind: 'lodgify', account: 'harbor' }, website),
    brandEntry('mill', { kind: 'open', ...system }, { hosts: ['mill.example'] }),
  ];
  const file = stage.file().replace(/"brands": \[/, (start) => `${start}${others.join(',')},`);
  writeFileSync(join(stage.directory, 'network.jsonc'), file);
  return stage;
}

function brandEntry(source: string, booking_system: object, website: object): string {
  return JSON.stringify({ source, name: source, all_in_totals: false, website, booking_system });
}

const flat = (text: string) => text.replaceAll(/\s+/g, ' ');

describe('what is wrong with a key or a secret', () => {
  it('is said of the key where the encrypted file does not open', async (t) => {
    const stage = await setUp(t);
    const environment = join(stage.directory, '.env');
    writeFileSync(join(stage.directory, 'credentials.sealed'), 'cut off');
    for (const command of COMMANDS) {
      for (const words of [[command], [command, 'harbor']]) {
        const { code, notes } = await stage.run(words, { env: { STAYWIRE_CREDENTIALS_KEY: WRONG_KEY } });
        assert.equal(code, 2);
        assert.match(flat(notes), /credentials\.sealed: cannot be opened with this key/);
        assert.match(flat(notes), /→ set STAYWIRE_CREDENTIALS_KEY to the key with which it was written/);
        assert.doesNotMatch(flat(notes), /mend the network file/);
      }
    }
    writeFileSync(
      environment,
      readFileSync(environment, 'utf8').replace(/^STAYWIRE_CREDENTIALS_KEY=.*$/m, ''),
    );
    for (const command of COMMANDS) {
      const { code, notes } = await stage.run([command]);
      assert.equal(code, 2);
      assert.match(flat(notes), /STAYWIRE_CREDENTIALS_KEY must be set/);
      assert.match(flat(notes), /→ set STAYWIRE_CREDENTIALS_KEY to the key with which it was written/);
    }
    assert.equal((await stage.run(['sync', 'casas'])).code, 0, 'a brand without secrets needs no key');
  });

  it('stops only the brands that need it, and held-back for none', async (t) => {
    const stage = await setUp(t);
    const synced = await stage.run(['sync', 'casas']);
    assert.equal(synced.code, 0, synced.notes);
    assert.notEqual((await stage.run(['check', 'casas'])).code, 2);
    assert.equal((await stage.run(['sync', 'mill'], { env: { MILL_TOKEN: 't' } })).code, 1);
    for (const command of COMMANDS) {
      const { code, notes } = await stage.run([command, 'mill']);
      assert.equal(code, 2);
      assert.match(notes, /MILL_TOKEN/);
      assert.doesNotMatch(notes, /HARBOR/);
    }
    const all = await stage.run(['held-back']);
    assert.equal(all.code, 0, all.notes);
    assert.match(all.output, /harbor {2}was not read yet/);
    assert.match(all.output, /casas {2}1 listing/);
  });
});
