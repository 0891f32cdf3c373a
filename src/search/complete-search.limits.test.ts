import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type AssistantLimits, createSearchPlaces, type SearchPlaces } from '../sessions/assistant-limits.ts';
import { type Asker, type Completed, type CompleteSearch, limitSearches } from './complete-search.ts';

const ANSWERED: Completed = { kind: 'no_operator_answered', retryAfterSeconds: 5, silent: [] };
const CRITERIA = {} as Parameters<CompleteSearch>[0];

function setUp(
  limits: Readonly<Record<string, AssistantLimits>>,
  places: SearchPlaces = createSearchPlaces(),
) {
  const asked: (PromiseWithResolvers<Completed> & { readonly asker: Asker })[] = [];
  const search = limitSearches(
    (_criteria, _sessionEnd, asker) => {
      const answer = Promise.withResolvers<Completed>();
      asked.push({ ...answer, asker });
      return answer.promise;
    },
    { places, limitsOf: (assistant) => limits[assistant] ?? {}, maxMs: 1_000 },
  );
  const begin = async (assistant: string) => {
    await nextTurn();
    const before = asked.length;
    const outcome = search(CRITERIA, 0, { caller: [assistant, '192.0.2.1', 'session'] });
    outcome.catch(() => {});
    await nextTurn();
    return asked.length > before ? 'asking' : (await outcome).kind;
  };
  return { begin, asked };
}

describe('searches of an assistant with a limit', () => {
  it('ask operators up to the limit, and others are told to come back', async () => {
    const { begin, asked } = setUp({ acme: { searches: 2 } });
    assert.deepEqual(
      [await begin('acme'), await begin('acme'), await begin('acme')],
      ['asking', 'asking', 'too_many_searches'],
    );
    asked[0]?.resolve(ANSWERED);
    assert.deepEqual([await begin('acme'), await begin('acme')], ['asking', 'too_many_searches']);
  });

  it('give their place back when they fail or their client leaves', async () => {
    const { begin, asked } = setUp({ acme: { searches: 1 } });
    await begin('acme');
    asked[0]?.reject(new Error('the client has gone'));
    assert.equal(await begin('acme'), 'asking');
  });

  it('keep their place until the last call to an operator has ended that they left behind', async () => {
    const { begin, asked } = setUp({ acme: { searches: 1 } });
    await begin('acme');
    const calls = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    for (const { promise } of calls) asked[0]?.asker.onLeftBehind?.(promise);
    asked[0]?.reject(new Error('the client has gone'));
    assert.equal(await begin('acme'), 'too_many_searches');
    calls[1]?.resolve();
    assert.equal(await begin('acme'), 'too_many_searches');
    calls[0]?.reject(new Error('the operator failed'));
    assert.equal(await begin('acme'), 'asking');
    assert.equal(await begin('acme'), 'too_many_searches', 'a place is given back once');
  });

  it('hinder no other assistant, with a limit or without', async () => {
    const { begin } = setUp({ acme: { searches: 1 }, other: { searches: 1 } });
    await begin('acme');
    assert.equal(await begin('acme'), 'too_many_searches');
    assert.equal(await begin('other'), 'asking');
    for (let search = 0; search < 20; search += 1) assert.equal(await begin('free'), 'asking');
  });

  it('ask for no place where there is no limit', async () => {
    const { begin } = setUp({}, { take: () => assert.fail('nobody counts these') });
    assert.equal(await begin('acme'), 'asking');
  });
});
