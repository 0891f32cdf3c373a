import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { StorageFailure, type StorageFailureKind } from '../../sessions/storage-failure.ts';
import { untilReachable } from './until-reachable.ts';

test('what passes is waited for, and what does not is for the owner', async () => {
  for (const [kind, isWaitedFor] of [
    ['unreachable', true],
    ['busy', true],
    ['refused', false],
    ['unknown_format', false],
  ] as const satisfies readonly (readonly [StorageFailureKind, boolean])[]) {
    const clock = createFakeClock(0);
    const { signal } = new AbortController();
    const reports: string[] = [];
    let tries = 0;
    const work = async () => {
      tries += 1;
      if (tries < 4) throw new StorageFailure(kind, 'Not now.');
      return 'done';
    };
    const outcome = untilReachable(work, {
      server: 'PostgreSQL',
      clock,
      report: (text) => reports.push(text),
      signal,
    }).catch((failure: StorageFailure) => failure.kind);
    for (let pauses = 0; pauses < 3; pauses += 1) await clock.advance(5000);
    assert.equal(await outcome, isWaitedFor ? 'done' : kind);
    assert.equal(reports.length, isWaitedFor ? 3 : 0);
  }
});
