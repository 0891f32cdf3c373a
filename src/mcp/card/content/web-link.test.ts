import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWebLink } from './web-link.ts';

test('only addresses of the web become links or pictures', () => {
  assert.ok(isWebLink('https://casas.example/1?from=2027-04-10'));
  assert.ok(isWebLink('http://127.0.0.1:4000/1'));
  for (const other of [
    'javascript:alert(1)',
    ' JavaScript:alert(1)',
    'data:text/html,x',
    'file:///etc',
    '/ai/v1/search',
    '',
  ]) {
    assert.ok(!isWebLink(other), other);
  }
});
