import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { STAY } from '../support/conversation.ts';
import { setClientStage } from './client-stage.ts';

describe('the calls of the client', () => {
  it('open a session, answer step by step, read the set and narrow it', async (t) => {
    const { client } = await setClientStage(t);
    const session = await client.open();
    assert.equal(session.source, null);

    const asked = await client.step(session, { destination: 'Lisbon', guests: 2 });
    assert.equal(asked.kind, 'question');
    assert.equal(asked.body.received.destination, 'lisbon-pt');
    assert.equal(asked.question.field, 'check_in_month');
    assert.deepEqual(asked.question.choices[0], { value: '2027-03', label: '2027-03' });

    const found = await client.step(session, { check_in_day: '2027-04-10', check_out: '2027-04-13' });
    assert.equal(found.kind, 'comparison');
    assert.deepEqual(
      found.body.results.map(({ quote }) => quote.nights),
      [3, 3],
    );

    const narrowed = await client.refine(found, 'pool');
    assert.equal(narrowed.kind, 'comparison');
    assert.deepEqual(narrowed.body.applied_filters.amenities, ['pool']);
    const set = await client.result(session.session);
    assert.deepEqual(set.body, narrowed.body);
    assert.equal(set.isCurrent, true);

    const wide = await client.refine(session, null);
    assert.equal(wide.kind, 'comparison');
    assert.deepEqual(wide.body.applied_filters.amenities, []);
  });

  it('read the set where the search is complete: a filter is no question', async (t) => {
    const { client, scene } = await setClientStage(t);
    const session = await client.open();
    const found = await client.step(session, STAY);
    const asked = scene.operator.asked.length;
    for (const reading of [await client.step(session), await client.step(found, {})]) {
      assert.deepEqual(reading, found);
    }
    assert.equal(scene.operator.asked.length, asked, 'no operator is asked again');
    const narrowed = await client.refine(session, 'pool', { idempotencyKey: 'once' });
    assert.deepEqual(await client.refine(session, 'pool', { idempotencyKey: 'once' }), narrowed);
    const refused = await client.refine(session, 'moat');
    assert.equal(refused.kind, 'refusal');
  });

  it('return a refusal with its reasons, and what can be chosen instead', async (t) => {
    const { client } = await setClientStage(t);
    const answer = await client.step(await client.open(), {
      ...STAY,
      check_in_month: undefined,
      check_out: '2027-04-09',
      guests: 99,
    });
    assert.equal(answer.kind, 'refusal');
    assert.deepEqual(
      answer.refusals.map(({ field, reason }) => [field, reason?.code]),
      [
        ['check_out', 'conflicts_with'],
        ['guests', 'party_too_large'],
      ],
    );
    assert.equal(answer.question.field, 'check_out');
    assert.equal(answer.question.refusal?.suggestions?.[0], '2027-04-11');
    assert.equal(answer.question.choices[0]?.value, '2027-04-11');
    assert.deepEqual(answer.question.missing, ['check_out', 'guests']);
  });

  it('return a problem as data from a step, and throw it where a set was wanted', async (t) => {
    const { client } = await setClientStage(t);
    const answer = await client.step('ses_of_nobody', { guests: 2 });
    assert.equal(answer.kind, 'problem');
    assert.equal(answer.code, 'session_not_found');
    assert.equal(answer.status, 200);
    const session = await client.open();
    await assert.rejects(client.result(session), {
      name: 'StaywireError',
      code: 'result_not_ready',
      status: 409,
    });
  });
});
