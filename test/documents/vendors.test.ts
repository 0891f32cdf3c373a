import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { Connector } from '../../src/connectors/connector.ts';
import { CONNECTORS } from '../../src/connectors/connectors.ts';
import { VENDORS } from '../connectors/vendors.ts';

const all: readonly Connector[] = CONNECTORS;
const root = new URL('../../', import.meta.url);
const text = (path: string) => readFileSync(new URL(path, root), 'utf8');

for (const { kind, credentials } of all) {
  if (Object.keys(credentials).length === 0) continue;
  describe(`the vendor ${kind}`, () => {
    for (const [path, remedy] of [
      [`docs/connectors/${kind}.md`, 'say there what was verified, how, and what was not'],
      [`test/emulators/${kind}.ts`, 'write it from the vendor’s documentation, not from the connector'],
      [`test/emulators/${kind}.test.ts`, 'show that the emulator does what the documentation says'],
    ] as const) {
      it(`has ${path}`, () => assert.ok(existsSync(new URL(path, root)), remedy));
    }

    it('runs through the suites of all vendors', () => {
      assert.ok(
        VENDORS.some((vendor) => vendor.kind === kind),
        'add a line to test/connectors/vendors.ts',
      );
    });

    it('is fuzzed', () => {
      const targets = readdirSync(new URL('test/fuzz/targets/', root));
      assert.ok(
        targets.some((target) => target.includes(kind)),
        'add a target that is named after it to test/fuzz/targets/',
      );
    });

    it('has its words for amenities checked', () => {
      const tables = text('src/connectors/shared/listings/amenity-tables.test.ts');
      assert.ok(tables.includes(`../${kind}/amenities.ts`), 'add them to amenity-tables.test.ts');
    });

    it('is in the README', () => {
      assert.ok(
        new RegExp(kind, 'i').test(text('README.md')),
        'name it in README.md, among the booking systems',
      );
    });
  });
}
