import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Session } from '../sessions/session.ts';
import { createReadyResults } from './ready-results.ts';

describe('ready results', () => {
  it('gives back what was kept for the same state of the session', () => {
    const ready = createReadyResults();
    const body = Buffer.from('{}');
    ready.keep(session('a', 3), body);
    assert.equal(ready.find(session('a', 3)), body);
    assert.equal(ready.find(session('b', 3)), undefined);
  });

  it('does not give an old result to a session that has changed', () => {
    const ready = createReadyResults();
    ready.keep(session('a', 3), Buffer.from('old'));
    assert.equal(ready.find(session('a', 4)), undefined);
    const newer = Buffer.from('new');
    ready.keep(session('a', 4), newer);
    assert.equal(ready.find(session('a', 4)), newer);
    assert.equal(ready.find(session('a', 3)), undefined);
  });

  it('forgets the oldest when it holds too many bytes, and counts what it replaces once', () => {
    const ready = createReadyResults(30);
    for (let time = 0; time < 10; time += 1) ready.keep(session('a', time), Buffer.alloc(10));
    ready.keep(session('b', 1), Buffer.alloc(10));
    ready.keep(session('c', 1), Buffer.alloc(10));
    assert.ok(ready.find(session('a', 9)), 'three of ten bytes fit');
    ready.keep(session('d', 1), Buffer.alloc(10));
    assert.equal(ready.find(session('a', 9)), undefined);
    assert.ok(ready.find(session('b', 1)));
    assert.ok(ready.find(session('d', 1)));
  });

  it('keeps nothing that is larger than all it may hold', () => {
    const ready = createReadyResults(30);
    ready.keep(session('a', 1), Buffer.alloc(31));
    assert.equal(ready.find(session('a', 1)), undefined);
  });
});

function session(id: string, revision: number): Session {
  return {
    id,
    assistant: 'local',
    source: null,
    onlyPlace: null,
    apiVersion: '2026-11-01',
    openedAt: 0,
    expiresAt: 1,
    revision,
    payload: {},
    result: null,
  };
}
