import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { withoutToken, withToken } from './token-free-body.ts';

const TOKEN = `ses_${'Aa0_-'.repeat(8)}xyz`;

test('a stored body holds no token, and the request’s token restores its bytes', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(fc.string({ unit: 'grapheme' }), fc.constant(TOKEN), fc.constant(`/x?session=${TOKEN}`)),
      ),
      (values) => {
        const body = JSON.stringify(values);
        const stored = withoutToken(body, TOKEN);
        assert.ok(!stored.includes(TOKEN));
        assert.equal(withToken(stored, TOKEN).toString(), body);
      },
    ),
  );
});
