import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemRandom } from '../random.ts';
import { createOwnerSessions } from './owner-sessions.ts';

const HOUR_MS = 3_600_000;
const USE = { isUse: true };

function sessionsAt(start = 0) {
  const time = { now: start };
  return {
    time,
    sessions: createOwnerSessions({ clock: { elapsed: () => time.now }, random: systemRandom }),
  };
}

test('a session is found by what the cookie holds, until it is ended', () => {
  const { sessions } = sessionsAt();
  const token = sessions.open('record', null);
  assert.match(token, /^[A-Za-z0-9_-]{43}$/);
  assert.ok(sessions.find(token, 'record', USE));
  assert.equal(sessions.find(`${token}x`, 'record', USE), undefined);
  sessions.end(token);
  assert.equal(sessions.find(token, 'record', USE), undefined);
});

test('a session ends eight hours after its last use; a page that updates itself is no use', () => {
  const { time, sessions } = sessionsAt();
  const token = sessions.open('record', null);
  time.now = 7 * HOUR_MS;
  assert.ok(sessions.find(token, 'record', USE));
  time.now = 14 * HOUR_MS;
  assert.ok(sessions.find(token, 'record', { isUse: false }));
  time.now = 15 * HOUR_MS;
  assert.equal(sessions.find(token, 'record', USE), undefined);
});

test('a session ends after seven days, whoever uses it', () => {
  const { time, sessions } = sessionsAt();
  const token = sessions.open('record', null);
  for (time.now = 0; time.now < 7 * 24 * HOUR_MS; time.now += 6 * HOUR_MS) {
    assert.ok(sessions.find(token, 'record', USE));
  }
  assert.equal(sessions.find(token, 'record', USE), undefined);
});

test('all sessions end when the password changes', () => {
  const { sessions } = sessionsAt();
  const token = sessions.open('record', null);
  assert.equal(sessions.find(token, 'another', USE), undefined);
  assert.equal(sessions.find(token, 'record', USE), undefined, 'and do not come back with the old one');
});

test('there are never more than a hundred: the oldest ends', () => {
  const { sessions } = sessionsAt();
  const first = sessions.open('record', null);
  const others = Array.from({ length: 100 }, () => sessions.open('record', null));
  assert.equal(sessions.find(first, 'record', USE), undefined);
  assert.ok(others.every((token) => sessions.find(token, 'record', USE)));
});
