import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Connector } from '../../src/operators/connector.ts';
import { CONNECTORS } from '../../src/operators/connectors.ts';
import { createVendorClock } from '../connectors/vendor-clock.ts';
import { VENDORS } from '../connectors/vendors.ts';
import { aHome } from '../emulators/homes.ts';
import { createCommandStage } from '../support/command-stage.ts';

const connectors: readonly Connector[] = CONNECTORS;

describe('connect reads a catalogue once', () => {
  for (const { kind, name, start, tokenWaitMs } of VENDORS) {
    it(`of ${name}, and draws one token at most`, async (t) => {
      const clock = createVendorClock({ skippedWaitMs: tokenWaitMs ?? null });
      const homes = [aHome({ id: 1 }), aHome({ id: 2 }), aHome({ id: 3, city: 'Porto' })];
      const emulator = await start({ homes, now: clock.now, limits: 'off' });
      t.after(() => emulator.close());
      const stage = createCommandStage(t);
      assert.equal((await stage.run(['init'])).code, 0);
      const names = Object.keys(connectors.find((one) => one.kind === kind)?.credentials ?? {});
      const secrets = Object.fromEntries(names.map((one) => [one, emulator.credentials[one]]));
      const page = `http://${emulator.websiteHost}/homes/{reference}?from={check_in}&to={check_out}`;
      const { code, output, notes } = await stage.run(
        [
          ...['connect', 'harbor', '--system', kind, '--secrets-from-stdin', '--json'],
          ...['--set', `url=${emulator.url}`, 'rate_limits=[{"requests":100000,"seconds":1}]'],
          ...['--time-zone', 'Europe/Lisbon', '--stay-url', page, '--host', emulator.websiteHost],
        ],
        { input: JSON.stringify(secrets), tools: { clock } },
      );
      assert.equal(code, 0, output + notes);
      assert.match(JSON.parse(output).checks[1].found, /^3 on offer, 0 held back, /);
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
});
