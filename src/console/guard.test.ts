import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setConsoleStage } from '../../test/support/console-stage.ts';

describe('the guard of the console', () => {
  it('takes forms from its own pages alone, also from those who are signed in', async () => {
    const { signIn, formToken, post, state } = await setConsoleStage();
    await signIn();
    const form = { form_token: await formToken() };
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://localhost:8080' },
      { origin: 'http://localhost', 'sec-fetch-site': 'cross-site' },
      { origin: 'http://localhost', 'sec-fetch-site': 'same-site' },
    ]) {
      const { status } = await post('/operators/northern/pause', form, headers);
      assert.equal(status, 403, JSON.stringify(headers));
    }
    assert.deepEqual(state.deeds, []);
    for (const headers of [
      { origin: 'http://localhost' },
      // A proxy that speaks https under another name: the browser says that it is the same site.
      { origin: 'https://console.example', 'sec-fetch-site': 'same-origin' },
    ]) {
      assert.equal((await post('/operators/northern/pause', form, headers)).status, 303);
    }
    assert.deepEqual(state.deeds, ['pause northern', 'pause northern']);
  });

  it('takes no form without the token of the session, and says how to go on', async () => {
    const stage = await setConsoleStage();
    await stage.signIn();
    const old = await stage.formToken();
    await stage.signIn();
    const token = await stage.formToken();
    for (const form_token of ['', old, `${token}x`, token.slice(1)]) {
      const { status, text } = await stage.post('/assistants/claude/suspend', { form_token });
      assert.equal(status, 403);
      assert.match(text, /nothing was changed\. Go back, load that page again/);
    }
    assert.deepEqual(stage.state.deeds, []);
  });

  it('is reached under its own names alone', async () => {
    const { get } = await setConsoleStage();
    for (const host of ['localhost', 'localhost:9465', '127.0.0.1:9465', '[::1]:9465']) {
      assert.equal((await get('/sign-in', { host })).status, 200, host);
    }
    for (const host of [
      'evil.example',
      'localhost.evil.example',
      'evil.localhost',
      '127.0.0.1.nip.io',
      '93.184.216.34',
      '192.168.1.9:9465',
      '[2001:db8::1]:9465',
    ]) {
      const { status, text } = await get('/sign-in', { host });
      assert.equal(status, 403, host);
      assert.doesNotMatch(text, /evil|nip|93\.|192\.|2001/);
    }
  });

  it('is also reached by what it listens on, and by any address where that is every one', async () => {
    for (const [listensOn, own, others] of [
      ['Console.internal', ['console.internal:9465', '127.0.0.1'], ['10.0.0.5', 'other.internal']],
      ['10.0.0.5', ['10.0.0.5:9465', 'localhost', '[::ffff:10.0.0.5]'], ['10.0.0.6', 'console.internal']],
      ['fd00::5', ['[FD00:0::5]:9465', '[::1]'], ['[fd00::6]', '10.0.0.5']],
      ['0.0.0.0', ['203.0.113.5:9465', '[2001:db8::1]', 'localhost'], ['evil.example', 'evil.localhost']],
      ['::', ['203.0.113.5:9465', '[2001:db8::1]'], ['evil.example']],
    ] as const) {
      const { get } = await setConsoleStage({ host: listensOn });
      for (const [hosts, status] of [
        [own, 200],
        [others, 403],
      ] as const) {
        for (const host of hosts)
          assert.equal((await get('/sign-in', { host })).status, status, `${listensOn} ${host}`);
      }
    }
  });

  it('sends the same headers with every answer', async () => {
    const { get, signIn } = await setConsoleStage();
    const before = [await get('/sign-in'), await get('/today'), await get('/assets/console.css')];
    await signIn();
    const after = [await get('/today'), await get('/nothing'), await get('/today/by_hour.csv')];
    for (const { headers } of [...before, ...after]) {
      assert.equal(headers['cache-control'], 'no-store');
      assert.equal(headers['x-frame-options'], 'DENY');
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(
        headers['content-security-policy'],
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      );
    }
  });

  it('says the same to everybody while the store is away, and lets nobody in', async () => {
    const stage = await setConsoleStage({
      password: {
        read: async () => {
          throw new Error('postgres://owner:secret@db');
        },
        readNoticed: async () => null,
        writeNoticed: async () => {},
      },
    });
    for (const answer of [
      await stage.get('/sign-in'),
      await stage.signIn(),
      await stage.get('/today', { cookie: 'staywire_console_0=anything' }),
    ]) {
      assert.equal(answer.status, 500);
      assert.match(answer.text, /try again in a moment/);
      assert.doesNotMatch(answer.text, /secret|form_token/);
      assert.equal(answer.headers['set-cookie'], undefined);
    }
  });

  it('says with a page what went wrong, and nothing of what was asked', async () => {
    const stage = await setConsoleStage({
      outcomes: {
        ofQuote: async () => {
          throw new Error('secret of the store');
        },
      },
    });
    await stage.signIn();
    const nothing = await stage.get('/<script>?x=<script>');
    assert.equal(nothing.status, 404);
    assert.match(nothing.text, /No such page/);
    assert.doesNotMatch(nothing.text, /<script>/);
    const wrongMethod = await stage.post('/today', {});
    assert.deepEqual([wrongMethod.status, wrongMethod.headers.allow], [405, 'GET']);
    const fault = await stage.get('/quotes?nxq=nxq_7QwZ4m2rT1');
    assert.equal(fault.status, 500);
    assert.match(fault.text, /The log of the service says more/);
    assert.doesNotMatch(fault.text, /secret of the store/);
    assert.equal(stage.state.logged.length, 1);
    const long = await stage.post('/try', { value: 'x'.repeat(20_000) });
    assert.equal(long.status, 413);
    assert.match(long.text, /too long or not a form/);
    const headers = { 'content-type': 'application/json' };
    const json = await stage.call('POST', '/try', { form: { value: '2' }, headers });
    assert.equal(json.status, 415);
  });
});
