import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Connector } from '../../src/connectors/connector.ts';
import { CONNECTORS } from '../../src/connectors/connectors.ts';
import { createVendorClock } from '../connectors/vendor-clock.ts';
import { type EmulatedVendorSystem, VENDORS } from '../connectors/vendors.ts';
import { startGuesty } from '../emulators/guesty.ts';
import { aHome } from '../emulators/homes.ts';
import { startQloapps } from '../emulators/qloapps.ts';
import { addPlaces, createCommandStage } from '../support/command-stage.ts';

const connectors: readonly Connector[] = CONNECTORS;

async function connectTo(
  t: TestContext,
  {
    kind,
    start,
    tokenWaitMs,
    entryOn,
  }: Pick<EmulatedVendorSystem, 'kind' | 'start' | 'tokenWaitMs' | 'entryOn'>,
) {
  const clock = createVendorClock({ skippedWaitMs: tokenWaitMs ?? null });
  const homes = [aHome({ id: 1 }), aHome({ id: 2 }), aHome({ id: 3, city: 'Porto' })];
  const emulator = await start({ homes, now: clock.now, limits: 'off' });
  t.after(() => emulator.close());
  const stage = createCommandStage(t);
  assert.equal((await stage.run(['init'])).code, 0);
  addPlaces(stage.directory);
  const names = Object.keys(connectors.find((one) => one.kind === kind)?.credentials ?? {});
  const secrets = Object.fromEntries(names.map((one) => [one, emulator.credentials[one]]));
  const members = Object.entries(entryOn?.(emulator) ?? {}).map(([name, value]) => `${name}=${value}`);
  const page = `http://${emulator.websiteHost}/homes/{reference}?from={check_in}&to={check_out}`;
  const { code, output, notes } = await stage.run(
    [
      ...['connect', 'harbor', '--system', kind, '--secrets-from-stdin', '--json'],
      ...['--set', `url=${emulator.url}`, 'rate_limits=[{"requests":100000,"seconds":1}]', ...members],
      ...['--stay-url', page, '--host', emulator.websiteHost],
    ],
    { input: JSON.stringify(secrets), tools: { clock } },
  );
  assert.equal(code, 0, output + notes);
  return { emulator, found: String(JSON.parse(output).checks[1].found) };
}

describe('connect reads a catalogue once', () => {
  for (const vendor of VENDORS) {
    it(`of ${vendor.name}, and draws one token at most`, async (t) => {
      const { emulator, found } = await connectTo(t, vendor);
      assert.match(found, /^3 on offer, 0 held back, /);
      const paths = emulator.requests
        .filter((request) => request.kind === 'catalogue')
        .map(({ method, path }) => `${method} ${path}`);
      assert.ok(paths.length > 0);
      assert.deepEqual(
        paths.filter((path, index) => paths.indexOf(path) !== index),
        [],
      );
      assert.ok(emulator.tokensIssued() <= 1);
    });
  }

  it('of QloApps, with a key that may read what is needed and nothing else', async (t) => {
    const withheld = ['hotel_features', 'room_type_features', 'hotel_refund_rules'];
    const { found } = await connectTo(t, {
      kind: 'qloapps',
      start: (options) => startQloapps({ ...options, withheld }),
    });
    assert.match(found, /^3 on offer, 0 held back, /);
  });

  it('of Guesty, with a listing that is listed and cannot be read alone', async (t) => {
    const { found } = await connectTo(t, {
      kind: 'guesty',
      start: (options) => startGuesty({ ...options, listedOnly: [2] }),
    });
    assert.match(found, /^3 on offer, 0 held back, /);
  });
});
