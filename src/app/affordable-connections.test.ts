import assert from 'node:assert/strict';
import { test } from 'node:test';
import { affordableConnections } from './process.ts';

test('callers get three quarters at most of the descriptors that the console and the metrics leave', () => {
  assert.equal(affordableConnections(4000, 520), 300);
  assert.equal(affordableConnections(100, 520), 100);
  assert.equal(affordableConnections(4000, Number.POSITIVE_INFINITY), 4000);
  assert.equal(affordableConnections(4000, 1), 1);
});

test('the limit of this process is known where the system has one', () => {
  assert.ok(affordableConnections(1) === 1);
  const most = affordableConnections(Number.MAX_SAFE_INTEGER);
  assert.ok(process.platform === 'win32' || most < Number.MAX_SAFE_INTEGER, String(most));
});
