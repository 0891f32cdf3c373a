import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { FAULT_KINDS, type FaultKind } from '../emulators/faults.ts';
import { aHome } from '../emulators/homes.ts';
import { connectVendorFor } from './connected-vendor.ts';
import {
  endsAuthorization,
  FAULTY_CALLS,
  type FaultCell,
  type FaultOutcome,
  type FaultyCall,
  outcomeOfFault,
} from './fault-cell.ts';
import { type FaultTable, faultsPage } from './faults-page.ts';
import { HORIZON, patient } from './usual-request.ts';
import { VENDORS } from './vendors.ts';

const PAGE = join(import.meta.dirname, '../../docs/connectors/faults.md');
const CELLS_AT_A_TIME = 12;

type Outcomes = Readonly<Record<FaultyCall, FaultOutcome>>;
const always = (outcome: FaultOutcome): Outcomes => ({
  token: outcome,
  catalogue: outcome,
  calendar: outcome,
  quote: outcome,
});

const EXPECTED: Readonly<Record<FaultKind, Outcomes>> = {
  slow: always('timeout'),
  error_500: always('server_error'),
  truncated_json: always('garbled'),
  wrong_types: always('garbled'),
  html_error_page: always('garbled'),
  redirect: always('garbled'),
  oversized: always('too_large'),
  drip_fed: always('timeout'),
  // A new token is asked for and the call sent again; who does not get one is refused.
  expired_token: { ...always('ok'), token: 'rejected' },
  empty_body: always('garbled'),
  connection_reset: always('unreachable'),
  rate_limited: always('rate_limited'),
};

type Exceptions = Readonly<Partial<Record<FaultKind, Partial<Outcomes>>>>;

const EXCEPTIONS: Readonly<Record<string, Exceptions>> = {
  lodgify: {
    // Its homes are priced one by one, and the key is refused once.
    expired_token: { quote: 'rejected_for_one' },
  },
  guesty: {
    // The days of a calendar are read one by one.
    wrong_types: { calendar: 'held_back' },
  },
};

const cells: readonly FaultCell[] = FAULT_KINDS.flatMap((fault) =>
  VENDORS.flatMap((vendor) =>
    FAULTY_CALLS.filter((call) => call !== 'token' || vendor.hasTokens).map((call) => ({
      vendor,
      fault,
      call,
    })),
  ),
);

function expectedOf({ vendor, fault, call }: FaultCell): FaultOutcome {
  const exception = EXCEPTIONS[vendor.kind]?.[fault]?.[call];
  // There is no other key to try.
  const isFinal = fault === 'expired_token' && !vendor.hasTokens;
  return exception ?? (isFinal ? 'rejected' : EXPECTED[fault][call]);
}

describe('faults of vendors', () => {
  const measured: FaultTable = new Map();

  describe('each in every call of every connector', { concurrency: CELLS_AT_A_TIME }, () => {
    for (const cell of cells) {
      const { vendor, fault, call } = cell;
      it(`${fault} in a ${call} call of ${vendor.name} ends as ${expectedOf(cell)}, costs nobody else, and heals`, async () => {
        const outcome = await outcomeOfFault(cell);
        measured.set(cell, outcome);
        assert.equal(
          outcome,
          expectedOf(cell),
          'Mend the connector; or, if this is meant, say so in EXPECTED or EXCEPTIONS, and run: npm run generate:faults',
        );
      });
    }
  });

  it('are listed in docs/connectors/faults.md with what becomes of them', () => {
    assert.equal(measured.size, cells.length, 'Some could not be measured: see their own tests.');
    const page = faultsPage(VENDORS, measured, endsAuthorization);
    if (process.env.STAYWIRE_WRITE_FAULTS === '1') writeFileSync(PAGE, page);
    assert.equal(
      readFileSync(PAGE, 'utf8'),
      page,
      'The page does not say what was measured. If the change is meant, run: npm run generate:faults',
    );
  });

  for (const vendor of VENDORS.filter(({ asksForEachHome }) => asksForEachHome)) {
    it(`in the answers about one home of ${vendor.name} leave its other homes as they are`, async (t) => {
      const homes = [1, 2, 3].map((id) => aHome({ id }));
      const { system, emulator } = await connectVendorFor(t, vendor, { homes });
      await system.catalogue(patient);
      const references = homes.map(({ id }) => emulator.referenceOf(id));
      const [, broken = ''] = references;
      for (const fault of [
        'error_500',
        'truncated_json',
        'html_error_page',
        'oversized',
        'redirect',
      ] as const) {
        emulator.setFault(fault, 'calendar', new RegExp(`\\b${broken}\\b`));
        const readings = await system.calendars(references, HORIZON, patient);
        const valid = references.filter((reference) => readings.get(reference)?.kind === 'valid');
        assert.deepEqual(
          valid,
          references.filter((reference) => reference !== broken),
          fault,
        );
      }
      assert.equal(emulator.redirectFollowed(), false);
    });
  }
});
