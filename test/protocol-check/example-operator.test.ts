import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { systemClock } from '../../src/clock.ts';
import { plainContext } from '../support/plain-listing.ts';
import { type ExampleServer, faultsOf, runCheck, startBroken, startExample } from './example-server.ts';

describe('the documented example of an operator’s server', () => {
  let example: ExampleServer;
  before(async () => {
    example = await startExample();
  });
  after(() => example.close());

  it('passes every check', async () => {
    const begun: string[] = [];
    const report = await runCheck(example.url, { onCheck: (check) => begun.push(check) });
    assert.deepEqual(faultsOf(report), []);
    assert.deepEqual(
      report.verdicts.map(({ check, verdict }) => `${check} ${verdict}`),
      [
        'http passed',
        'authorisation passed',
        'catalogue_pages passed',
        'catalogue_listings passed',
        'catalogue_etag passed',
        'calendars passed',
        'calendars_unknown_property passed',
        'quotes_free_stay passed',
        'quotes_repeated passed',
        'quotes_taken_stay passed',
        'quotes_too_many_guests passed',
        'quotes_unknown_property passed',
        'quotes_batch passed',
        'quotes_unknown_member passed',
        'bookings passed',
        'timing passed',
      ],
    );
    assert.equal(report.notListed, 0);
    assert.deepEqual(begun.toSorted(), report.verdicts.map(({ check }) => check).toSorted());
    assert.equal(
      report.verdicts.find(({ check }) => check === 'catalogue_listings')?.found,
      '1 listing, on casas.example, in lisbon-pt (EUR)',
    );
  });

  it('passes in the network that it joins, and not in one where its city is unknown', async () => {
    assert.deepEqual(faultsOf(await runCheck(example.url, { network: plainContext })), []);
    const places = new Map([...plainContext.places].filter(([id]) => id !== 'lisbon-pt'));
    const [fault] = faultsOf(await runCheck(example.url, { network: { ...plainContext, places } }));
    assert.deepEqual(
      [fault?.check, fault?.rule, fault?.place],
      ['catalogue_listings', 'unknown_place', 'GET /catalogue properties/0/place'],
    );
  });

  it('need not tell its bookings', async () => {
    const silent = await startBroken(example, (call) => {
      if (call.call === 'bookings') Object.assign(call, { status: 404, body: { error: 'not_found' } });
    });
    try {
      const report = await runCheck(silent.url);
      assert.deepEqual(faultsOf(report), []);
      assert.ok(report.verdicts.every(({ check }) => check !== 'bookings'));
    } finally {
      await silent.close();
    }
  });

  it('is told when its token is not accepted, and that strangers were not looked at without one', async () => {
    const refused = await runCheck(example.url, { token: 'another-token' });
    assert.deepEqual(
      faultsOf(refused).map(({ check, rule, place }) => [check, rule, place]),
      [['http', 'token_refused', 'GET /catalogue']],
    );
    const without = await runCheck(example.url, { token: null });
    assert.equal(
      without.verdicts.find(({ check }) => check === 'authorisation')?.found,
      'no token was given',
    );
  });

  it('is not there', async () => {
    const report = await runCheck('http://127.0.0.1:1');
    assert.deepEqual(
      report.verdicts.map(({ verdict }) => verdict).filter((verdict) => verdict !== 'skipped'),
      ['failed'],
    );
    assert.deepEqual(
      faultsOf(report).map(({ rule, place }) => [rule, place]),
      [['unreachable', 'GET /catalogue']],
    );
  });

  it('is warned when a call takes more than half of its time', async () => {
    let elapsed = 0;
    const clock = {
      ...systemClock,
      now: () => Date.UTC(2027, 5, 1, 12),
      elapsed: () => {
        elapsed += 2500;
        return elapsed;
      },
    };
    const slow = faultsOf(await runCheck(example.url, { clock }));
    assert.deepEqual(
      slow.map(({ check, verdict, rule, place, milliseconds }) => [
        check,
        verdict,
        rule,
        place,
        milliseconds,
      ]),
      [['timing', 'warning', 'slow', 'POST /quotes', 2500]],
    );
  });

  it('is left alone when the one who asked gives up', async () => {
    const giveUp = new AbortController();
    giveUp.abort(new Error('interrupted'));
    await assert.rejects(runCheck(example.url, { signal: giveUp.signal }), /interrupted/);
  });
});
