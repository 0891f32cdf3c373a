import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CONNECTORS } from '../../src/connectors/connectors.ts';
import { vendorClock } from '../connectors/vendor-clock.ts';
import { VENDORS } from '../connectors/vendors.ts';
import { aHome } from '../emulators/homes.ts';
import { createCommandStage } from '../support/command-stage.ts';

/** Its hotels have the number of a country alone. */
const NAMES_NO_COUNTRY: readonly string[] = ['qloapps'];

describe('the country of a new city', () => {
  for (const { kind, name, start, entryOn } of VENDORS) {
    const namesCountry = !NAMES_NO_COUNTRY.includes(kind);
    it(`is ${namesCountry ? 'what the listings name' : 'not known'}: ${name}`, async (t) => {
      const emulator = await start({ homes: [aHome({ id: 1 })], now: vendorClock.now, limits: 'off' });
      t.after(() => emulator.close());
      const stage = createCommandStage(t);
      assert.equal((await stage.run(['init'])).code, 0);
      const asked = CONNECTORS.find((connector) => connector.kind === kind)?.credentials ?? {};
      const secrets = Object.entries(emulator.credentials).filter(([secret]) => secret in asked);
      const members = Object.entries(entryOn?.(emulator) ?? {}).map(
        ([member, value]) => `${member}=${value}`,
      );
      const page = `http://${emulator.websiteHost}/homes/{reference}?from={check_in}&to={check_out}`;
      const { output, notes } = await stage.run(
        [
          ...['connect', 'harbor', '--system', kind, '--json', '--force', '--secrets-from-stdin'],
          ...['--set', `url=${emulator.url}`, 'rate_limits=[{"requests":1000,"seconds":1}]', ...members],
          ...['--stay-url', page, '--host', emulator.websiteHost, '--time-zone', 'Europe/Lisbon'],
        ],
        { input: JSON.stringify(Object.fromEntries(secrets)) },
      );
      const { cities, added_places: places } = JSON.parse(output);
      assert.equal(cities?.Lisbon?.country, namesCountry ? 'PT' : null, output + notes);
      assert.deepEqual(
        places.map(({ id, parent }: { id: string; parent?: string }) => [id, parent]),
        namesCountry
          ? [
              ['portugal', undefined],
              ['lisbon', 'portugal'],
            ]
          : [['lisbon', undefined]],
      );
    });
  }
});
