import assert from 'node:assert/strict';
import { BookingSystemFailure, type FailureKind } from '../../src/limits/booking-system-failure.ts';
import type { BookingSystem, QuoteOutcome } from '../../src/quotes/booking-system.ts';
import { createMemoryInventoryStore } from '../../src/storage/memory/inventory-store.ts';
import type { Emulator } from '../emulators/emulator.ts';
import type { FaultKind } from '../emulators/faults.ts';
import { aHome } from '../emulators/homes.ts';
import { clockOf, connectBrands, WIDE_LIMITS } from './connected-vendor.ts';
import { HORIZON, patient, STAY } from './usual-request.ts';
import type { EmulatedVendorSystem } from './vendors.ts';
import { turns, withoutWaiting } from './without-waiting.ts';

export const FAULTY_CALLS = ['token', 'catalogue', 'calendar', 'quote'] as const;
/** The call that the vendor answers wrongly. */
export type FaultyCall = (typeof FAULTY_CALLS)[number];

type HomeOutcome = FailureKind | 'ok' | 'held_back';

/**
 * `ok`: it was read all the same. `held_back`: the homes were left out, with a reason for the operator. `_for_one`: of two homes, and
 * the other was read.
 */
export type FaultOutcome = HomeOutcome | `${Exclude<HomeOutcome, 'ok'>}_for_one`;

export type FaultCell = {
  readonly vendor: EmulatedVendorSystem;
  readonly fault: FaultKind;
  readonly call: FaultyCall;
};

const TIMEOUT_MS = 20_000;
/** Longer than any pause that a fault leaves behind. */
const QUIET_MS = 3_600_000;
/** The longest answer that is read to its end, and what a connection holds besides. */
const MAX_SENT_BYTES = 24 * 1024 * 1024;
/** These go on for as long as somebody listens. */
const ENDLESS: ReadonlySet<FaultKind> = new Set(['slow', 'drip_fed']);
/** The vendor has answered, and nobody could read it. */
const LOST_ANSWERS: ReadonlySet<FaultKind> = new Set([
  'slow',
  'drip_fed',
  'truncated_json',
  'wrong_types',
  'oversized',
  'empty_body',
]);

/** Where the answer took the account's authorization with it: only its owner can give a new one. */
export function endsAuthorization({ vendor, fault, call }: FaultCell): boolean {
  return vendor.hasPassingAuthorization === true && call === 'token' && LOST_ANSWERS.has(fault);
}

/** What becomes of a call that a vendor answers wrongly, beside a brand whose account is elsewhere. All that holds for every fault is checked. */
export async function outcomeOfFault(cell: FaultCell): Promise<FaultOutcome> {
  const { vendor, fault, call } = cell;
  const clock = clockOf(vendor);
  const homes = [aHome({ id: 1 }), aHome({ id: 2 })];
  const emulator = await vendor.start({ homes, limits: WIDE_LIMITS, now: clock.now });
  const besides = await vendor.start({ homes, limits: WIDE_LIMITS, now: clock.now });
  const entry = { timeout_ms: TIMEOUT_MS };
  const systemOf = connectBrands(
    {
      faulty: { vendor, emulator, entry },
      besides: { vendor, emulator: besides, account: 'other', entry },
    },
    { clock, store: createMemoryInventoryStore() },
  );
  const [system, other] = [systemOf('faulty'), systemOf('besides')];
  try {
    await Promise.all([system.catalogue(patient), other.catalogue(patient)]);
    // Only a token that is not new can have ended.
    clock.skip(QUIET_MS);
    if (call === 'token') emulator.expireTokens();
    const before = emulator.requests.length;
    emulator.setFault(fault, call);

    const ending = new AbortController();
    const work = perform(system, emulator, call, ending.signal);
    if (ENDLESS.has(fault)) {
      await requestTo(emulator, call, before);
      await assertStaysOpen(work);
      if (call === 'quote' || call === 'token') clock.skip(TIMEOUT_MS);
      else ending.abort();
    }
    const outcome = await (fault === 'rate_limited' ? withoutWaiting(work, emulator, clock) : work);

    const sent = emulator.requests.slice(before).map(({ sentBytes }) => sentBytes);
    assert.ok(Math.max(...sent) <= MAX_SENT_BYTES, `${Math.max(...sent)} bytes were read`);
    assert.equal(emulator.redirectFollowed(), false, 'a redirect was followed');
    assert.equal(await perform(other, besides, 'quote', patient), 'ok', 'another brand is asked as ever');
    await assertHeals();
    return outcome;
  } finally {
    await Promise.all([system.close(), other.close()]);
    await Promise.all([emulator.close(), besides.close()]);
  }

  async function assertHeals(): Promise<void> {
    emulator.setFault(null);
    clock.skip(QUIET_MS);
    for (const each of ['catalogue', 'calendar', 'quote'] as const) {
      const expected = endsAuthorization(cell) ? 'rejected' : 'ok';
      assert.equal(await perform(system, emulator, each, patient), expected, `the next ${each}`);
    }
  }
}

/** A token is asked for by the quote that needs it. */
async function perform(
  system: BookingSystem,
  { referenceOf }: Emulator,
  call: FaultyCall,
  signal: AbortSignal,
): Promise<FaultOutcome> {
  const references = [referenceOf(1), referenceOf(2)];
  switch (call) {
    case 'catalogue':
      return orFailure(async () => {
        const { properties } = await system.catalogue(signal);
        const listed = new Set(properties.map(({ reference }) => reference));
        return together(references.map((one) => (listed.has(one) ? 'ok' : 'held_back')));
      });
    case 'calendar':
      return orFailure(async () => {
        const readings = await system.calendars(references, HORIZON, signal);
        assert.deepEqual([...readings.keys()], references);
        return together(references.map((one) => (readings.get(one)?.kind === 'valid' ? 'ok' : 'held_back')));
      });
    case 'token':
    case 'quote': {
      // Not caught: whatever happens, this answers.
      const outcomes = await system.quote({ references, ...STAY }, signal);
      assert.deepEqual(outcomes.map(({ reference }) => reference).sort(), references.sort());
      return together(outcomes.map(outcomeOfQuote));
    }
  }
}

function together(outcomes: readonly HomeOutcome[]): FaultOutcome {
  const [one, other, ...more] = new Set(outcomes);
  const bad = one === 'ok' ? other : one;
  if (bad === undefined || bad === 'ok') return 'ok';
  assert.ok(more.length === 0 && (other === undefined || outcomes.includes('ok')), outcomes.join());
  return other === undefined ? bad : `${bad}_for_one`;
}

function outcomeOfQuote(outcome: QuoteOutcome): HomeOutcome {
  if (outcome.kind === 'quoted') return 'ok';
  assert.ok(outcome.kind === 'failed', `a fault is no refusal: ${JSON.stringify(outcome)}`);
  return outcome.failure;
}

async function orFailure(read: () => Promise<FaultOutcome>): Promise<FaultOutcome> {
  try {
    return await read();
  } catch (error) {
    assert.ok(error instanceof BookingSystemFailure, String(error));
    return error.kind;
  }
}

async function requestTo(emulator: Emulator, call: FaultyCall, before: number): Promise<void> {
  while (!emulator.requests.slice(before).some(({ kind }) => kind === call)) await turns(1);
}

/** Nothing but its time ends it. */
async function assertStaysOpen(work: Promise<FaultOutcome>): Promise<void> {
  const outcome = await Promise.race([work, turns(10)]);
  assert.equal(outcome, undefined, `ended early, as ${outcome}`);
}
