import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../../../test/support/fake-clock.ts';
import { BookingSystemFailure } from '../../../limits/booking-system-failure.ts';
import { createRequestBudget } from '../../../limits/node-budget.ts';
import type { RateWindow } from '../../../limits/window-count.ts';

const patient = new AbortController().signal;
const PER_MINUTE: RateWindow = { requests: 80, perMs: 60_000 };
const GREEDY = ['assistant', 'greedy', 'session'];
const MODEST = ['assistant', 'modest', 'session'];

function budgetOf(window: RateWindow, maxInFlight?: number) {
  const clock = createFakeClock(0);
  const budget = createRequestBudget({
    windows: [window],
    clock,
    ...(maxInFlight === undefined ? {} : { maxInFlight }),
  });
  /** Makes calls until one is refused, and says how many were made. */
  const spend = async (askedBy: readonly string[], most = 1000) => {
    for (let made = 0; made < most; made += 1) {
      try {
        (await budget.take({ urgency: 'live', withinMs: 0, signal: patient, askedBy })).done();
      } catch (error) {
        assert.ok(error instanceof BookingSystemFailure && error.kind === 'rate_limited');
        return made;
      }
    }
    return most;
  };
  return { budget, clock, spend };
}

describe('callers of an account', () => {
  it('leave an eighth of a window to one that has not asked yet', async () => {
    const { spend, budget } = budgetOf(PER_MINUTE);
    assert.equal(await spend(GREEDY), 65);
    assert.equal(
      await spend(['assistant', 'greedy', 'another session']),
      0,
      'a new session is no new caller',
    );
    assert.equal(budget.restsForMs(), 0, 'the vendor can be asked');
    assert.equal(budget.restsForMs(MODEST), 0, 'and by others');
    assert.equal(budget.restsForMs(GREEDY), 60_000, 'but not by whoever was refused a moment ago');
    assert.equal(await spend(MODEST), 10);
    assert.equal(
      await spend(['another assistant', 'address']),
      5,
      'half as much is kept for another assistant',
    );
  });

  it('are told when they may go again, and may go then', async () => {
    const { spend, budget, clock } = budgetOf({ requests: 15, perMs: 10_000 });
    await spend(GREEDY, 6);
    await clock.advance(2000);
    assert.equal(await spend(GREEDY), 8);
    assert.equal(budget.restsForMs(GREEDY), 8000);
    await clock.advance(7999);
    assert.equal(budget.restsForMs(GREEDY), 1);
    assert.equal(await spend(GREEDY), 0);
    await clock.advance(1);
    assert.equal(budget.restsForMs(GREEDY), 0);
    assert.equal(await spend(GREEDY), 6);
    budget.pause(60_000);
    assert.equal(budget.restsForMs(GREEDY), 60_000);
  });

  it('have equal shares while there are several of them', async () => {
    const { spend, clock } = budgetOf(PER_MINUTE);
    await spend(MODEST, 1);
    assert.equal(await spend(GREEDY), 32);
    assert.equal(await spend(MODEST), 31);
    assert.equal(await spend(['assistant', 'third']), 11, 'what is kept for a newcomer');
    await clock.advance(60_000);
    assert.equal(await spend(GREEDY), 65, 'nobody else has asked within the window');
  });

  it('get prices in every window while another goes on asking', async () => {
    const { spend, clock } = budgetOf(PER_MINUTE);
    let greedy = await spend(GREEDY);
    for (let window = 0; window < 5; window += 1) {
      let modest = 0;
      for (let second = 0; second < 60; second += 1) {
        greedy += await spend(GREEDY, 5);
        if (second % 12 === 6) modest += await spend(MODEST, 2);
        await clock.advance(1000);
      }
      assert.equal(modest, 10, `in window ${window}`);
    }
    assert.ok(greedy > 180, `and the other one had ${greedy}`);
  });

  it('share by assistants first, then by addresses', async () => {
    const { spend } = budgetOf(PER_MINUTE);
    const addresses = ['a', 'b', 'c', 'd'].map((address) => ['one', address]);
    for (const address of addresses) await spend(address, 1);
    await spend(['two', 'e'], 1);
    for (const address of addresses) await spend(address, 9);
    assert.equal(await spend(['two', 'e']), 31, 'however many addresses the other one has');
  });

  it('are told when the share of their assistant lets them go again, however many addresses it has', async () => {
    const { spend, budget, clock } = budgetOf(PER_MINUTE);
    const ask = (address: number) => spend(['assistant', `${address}`], 1);
    for (let address = 0; address < 40; address += 1) assert.equal(await ask(address), 1);
    await clock.advance(10_000);
    for (let address = 40; address < 75; address += 1) assert.equal(await ask(address), 1);
    assert.equal(await ask(75), 0);
    assert.equal(budget.restsForMs(['assistant', '75']), 50_000);
    assert.equal(budget.restsForMs(['another assistant', 'address']), 0);
  });

  it('do not hold back one who asks for more when they ask for little', async () => {
    const { spend } = budgetOf(PER_MINUTE);
    for (let index = 0; index < 20; index += 1) await spend(['assistant', `address ${index}`], 1);
    assert.equal(await spend(GREEDY), 12, 'until half of what can be shared is spent');
    assert.equal(await spend(['assistant', 'address 1']), 2, 'its share');
  });

  it('share what synchronisation has left', async () => {
    const { spend, budget } = budgetOf(PER_MINUTE);
    for (let sent = 0; sent < 56; sent += 1) {
      (await budget.take({ urgency: 'background', withinMs: 0, signal: patient })).done();
    }
    await spend(MODEST, 1);
    assert.equal(await spend(GREEDY), 10);
    assert.equal(await spend(MODEST), 9);
  });

  it('may always make one call that the vendor takes, whatever it costs', async () => {
    const { spend, budget, clock } = budgetOf({ requests: 2, perMs: 60_000 });
    assert.equal(await spend(GREEDY), 1);
    assert.equal(await spend(MODEST), 1);
    await clock.advance(60_000);
    (await budget.take({ urgency: 'live', withinMs: 0, signal: patient, askedBy: GREEDY })).done(0.4);
    assert.equal(await spend(GREEDY), 0);
    assert.equal(await spend(MODEST), 1);
  });

  it('take turns in the line, and a share that is spent holds up nobody else', async () => {
    const { budget, spend, clock } = budgetOf({ requests: 24, perMs: 60_000 }, 1);
    const began: string[] = [];
    const call = async (askedBy: readonly string[]) => {
      const permit = await budget.take({ urgency: 'live', withinMs: 50_000, signal: patient, askedBy });
      began.push(askedBy[1] ?? '');
      await new Promise<void>((resolve) => clock.after(10, resolve));
      permit.done();
    };
    const calls = [
      ...Array.from({ length: 5 }, () => call(GREEDY)),
      call(MODEST),
      call(MODEST),
      call(['another', 'address']),
    ];
    await clock.advance(1000);
    await Promise.all(calls);
    const [first, ...inLine] = began;
    assert.equal(first, 'greedy', 'there was no line yet');
    assert.deepEqual(inLine, ['greedy', 'address', 'modest', 'greedy', 'modest', 'greedy', 'greedy']);

    await spend(GREEDY);
    const late = budget.take({ urgency: 'live', withinMs: 60_000, signal: patient, askedBy: GREEDY });
    let isLateSent = false;
    const sent = late.then((permit) => {
      isLateSent = true;
      permit.done();
    });
    assert.equal(await spend(MODEST, 1), 1);
    (await budget.take({ urgency: 'background', withinMs: 0, signal: patient })).done();
    assert.equal(isLateSent, false, 'it waits for its share');
    await clock.advance(60_000);
    await sent;
    assert.equal(clock.pendingTimers, 0);
  });
});
