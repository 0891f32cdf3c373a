import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { sampleNetwork } from '../../test/support/sample-network.ts';
import { sampleRequest } from '../../test/support/sample-request.ts';
import type { Network } from '../catalogue/catalogue.ts';
import { bodyOf, type OperationRequest } from '../contract/exchange.ts';
import type { SessionBody } from '../contract/session-body.ts';
import { invalid, valid } from '../parsing/reading.ts';
import { systemRandom } from '../random.ts';
import { createQuotas, type StorageQuota } from '../sessions/assistant-limits.ts';
import { createRecentOpenings, type Opening } from '../sessions/recent-openings.ts';
import type { Session } from '../sessions/session.ts';
import { createLinks } from './answers/links.ts';
import { createOpenSession, type OpeningOutcome } from './open-session.ts';

const START = Date.parse('2026-11-15T09:30:00.700Z');

/** Only what opening a session uses of the store. */
function setUp(network: Network = sampleNetwork(['acme', 'casas']), maxSessions = 1_000) {
  const sessions = new Map<string, Session>();
  const store = {
    async open(session: Session, quota?: StorageQuota) {
      if (quota && sessions.size >= quota.sessions) {
        return { kind: 'over_quota', until: START + 90_500 } as const;
      }
      sessions.set(session.id, session);
      return { kind: 'opened' } as const;
    },
  };
  const clock = createFakeClock(START);
  const openings = createRecentOpenings<Opening>(clock);
  const openSession = createOpenSession({
    sessions: store,
    openings,
    network,
    links: createLinks(null),
    findExampleStay: () => ({ place: 'lisbon-pt', checkIn: '2026-12-15', checkOut: '2026-12-18' }),
    clock,
    random: systemRandom,
    sessionMinutes: 30,
    quotaOf: createQuotas({
      sessions: maxSessions,
      megabytes: 1,
      totalMegabytes: 1,
      limitsOf: () => ({}),
      countAssistants: () => 0,
    }),
  });
  const open = (body: object = {}, facts: Partial<OperationRequest> = {}) =>
    openSession(
      sampleRequest({ operation: 'openSession', values: valid(new Map(Object.entries(body))), ...facts }),
    );
  return { open, clock, openings, sessions, store };
}

function opened(outcome: OpeningOutcome) {
  assert.ok(outcome.kind === 'opened', outcome.kind);
  return { ...(bodyOf(outcome.answer) as SessionBody), replayed: outcome.answer.replayed };
}

describe('opening a session', () => {
  it('is refused beyond the quota of the assistant, until its oldest session ends', async () => {
    const { open, clock } = setUp(sampleNetwork(['acme']), 1);
    opened(await open());
    assert.deepEqual(await open(), { kind: 'too_many_sessions', retryAfterSeconds: 91 });
    await clock.advance(200_000);
    assert.deepEqual(await open(), { kind: 'too_many_sessions', retryAfterSeconds: 1 });
  });

  it('stores it with its end in whole seconds, and answers with its token', async () => {
    const { open, sessions } = setUp();
    const body = opened(await open({ source: 'acme' }));
    assert.match(body.session, /^ses_[\w-]{43}$/);
    assert.deepEqual([body.source, body.replayed], ['acme', false]);
    const [session] = sessions.values();
    assert.equal(session?.expiresAt, Date.parse('2026-11-15T10:00:00Z'));
    assert.deepEqual([session?.revision, session?.payload, session?.result], [0, {}, null]);
    assert.doesNotMatch(JSON.stringify(session), new RegExp(body.session), 'the token is not stored');
  });

  it('takes a source in any case, and echoes the request as it came', async () => {
    const { open, sessions } = setUp();
    const body = opened(await open({ source: 'ACME' }));
    assert.deepEqual([body.source, body.request], ['acme', { source: 'ACME' }]);
    assert.equal([...sessions.values()][0]?.source, 'acme');
  });

  it('without a source is a direct session', async () => {
    for (const request of [{}, { source: null }]) {
      const body = opened(await setUp().open(request));
      assert.deepEqual([body.source, body.request], [null, request]);
    }
  });

  it('knows the one place of a brand that has only one', async () => {
    const network = sampleNetwork(['acme']);
    const acme = network.brands.get('acme');
    assert.ok(acme);
    const brands = new Map([['acme', { ...acme, singleLocation: 'lisbon-pt' }]]);
    const { open, sessions } = setUp({ ...network, brands });
    await open({ source: 'Acme' });
    assert.equal([...sessions.values()][0]?.onlyPlace, 'lisbon-pt');
  });

  it('is refused for a source that is not on the network, and for a body that is none', async () => {
    const { open, sessions } = setUp();
    assert.deepEqual(await open({ source: 'nobody' }), { kind: 'unknown_source' });
    for (const source of ['', 7, ['acme'], 'x'.repeat(65)]) {
      assert.deepEqual(await open({ source }), { kind: 'unreadable' });
    }
    assert.deepEqual(await open({}, { values: invalid('invalid_request') }), { kind: 'unreadable' });
    assert.equal(sessions.size, 0);
  });

  it('names a member of the body that auth does not have, before anything else is judged', async () => {
    const { open, sessions } = setUp();
    assert.deepEqual(await open({ source: 'nobody', sorce: 'acme' }), {
      kind: 'unknown_field',
      name: 'sorce',
    });
    assert.deepEqual(await open({ toString: 1 }), { kind: 'unknown_field', name: 'toString' });
    assert.equal(sessions.size, 0);
  });
});

describe('a repeated key', () => {
  const key = { key: 'mine' };

  it('gives the same session, with the method of this call', async () => {
    const { open } = setUp();
    const first = opened(await open({ source: 'acme' }, key));
    const again = opened(await open({ source: 'acme' }, { ...key, method: 'GET' }));
    assert.deepEqual(again, { ...first, method: 'GET', replayed: true });
    assert.equal(opened(await open({ source: 'Acme' }, key)).session, first.session, 'the same request');
  });

  it('gives a new session once the first one was used', async () => {
    const { open, openings, sessions } = setUp();
    const first = opened(await open({}, key));
    for (const id of sessions.keys()) openings.forget(id);
    const second = opened(await open({}, key));
    assert.notEqual(second.session, first.session);
    assert.equal(second.replayed, false);
    assert.equal(opened(await open({}, key)).session, second.session, 'the key is that of the new one');
  });

  it('opens a session for another source too, once the first one was used', async () => {
    const { open, openings, sessions } = setUp();
    await open({ source: 'acme' }, key);
    for (const id of sessions.keys()) openings.forget(id);
    assert.equal(opened(await open({ source: 'casas' }, key)).source, 'casas', 'not a reuse: somebody else');
  });

  it('shows the same session in the view of this call', async () => {
    const { open } = setUp();
    const first = opened(await open({}, key));
    const compact = opened(await open({}, { ...key, view: 'compact' }));
    const url = `${first.next_request.url}&view=compact`;
    assert.deepEqual(compact, { ...first, next_request: { url, method: 'GET' }, replayed: true });
  });

  it('is not remembered when the session could not be stored', async () => {
    const { open, sessions, store } = setUp();
    const works = store.open;
    store.open = () => Promise.reject(new Error('no space'));
    await assert.rejects(open({}, key), /no space/);
    store.open = works;
    assert.equal(opened(await open({}, key)).replayed, false);
    assert.equal(sessions.size, 1);
  });

  it('is forgotten after a minute', async () => {
    const { open, clock } = setUp();
    const first = opened(await open({}, key));
    await clock.advance(60_000);
    assert.equal(opened(await open({}, key)).session, first.session);
    await clock.advance(1);
    assert.notEqual(opened(await open({}, key)).session, first.session);
  });

  it('is forgotten after a minute also when the wall clock was set back', async () => {
    const { open, clock } = setUp();
    const first = opened(await open({}, key));
    clock.stepWallClock(-7_200_000);
    assert.equal(opened(await open({}, key)).session, first.session);
    await clock.advance(60_001);
    assert.notEqual(opened(await open({}, key)).session, first.session);
  });

  it('opens a new session when a step of the wall clock has ended the first one', async () => {
    const { open, clock } = setUp();
    const first = opened(await open({}, key));
    clock.stepWallClock(7_200_000);
    const second = opened(await open({}, key));
    assert.notEqual(second.session, first.session);
    assert.equal(second.replayed, false);
  });

  it('is refused with another source if it is the client’s own, and a new request if the service made it', async () => {
    const { open } = setUp();
    await open({ source: 'acme' }, key);
    assert.deepEqual(await open({ source: 'casas' }, key), { kind: 'idempotency_key_reused' });
    await open({ source: 'acme' }, { key: 'sw.mine' });
    assert.deepEqual(
      await open({ source: 'casas' }, { key: 'sw.mine' }),
      { kind: 'idempotency_key_reused' },
      'it only begins like one of the service',
    );
    await open({ source: 'acme' }, { key: 'sw.0.read' });
    assert.equal(opened(await open({ source: 'casas' }, { key: 'sw.0.read' })).source, 'casas');
  });

  it('is another one for another address', async () => {
    const { open } = setUp();
    const first = opened(await open({}, key));
    const caller = { assistant: 'assistant', address: '192.0.2.8' };
    assert.notEqual(opened(await open({}, { ...key, caller })).session, first.session);
  });

  it('that is used twice at once opens one session', async () => {
    const { open, sessions } = setUp();
    const [one, other] = await Promise.all([open({}, key), open({}, key)]);
    assert.equal(opened(one).session, opened(other).session);
    assert.equal(sessions.size, 1);
  });
});
