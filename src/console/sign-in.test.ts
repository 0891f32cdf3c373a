import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { type ConsoleStage, PASSWORD, setConsoleStage } from '../../test/support/console-stage.ts';
import { createSignInTries } from './sign-in.ts';

function actionsIn({ audited }: ConsoleStage['state']): readonly string[] {
  return audited.map(({ action }) => action);
}

describe('signing in to the console', () => {
  it('leads to the first page, with a cookie that scripts and other sites do not get', async () => {
    const { signIn, get, state } = await setConsoleStage();
    const answer = await signIn();
    assert.equal(answer.status, 303);
    assert.equal(answer.headers.location, '/today');
    const cookie = answer.headers['set-cookie']?.[0] ?? '';
    assert.match(cookie, /^staywire_console_\d+=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/);
    assert.equal((await get('/today')).status, 200);
    assert.deepEqual(
      state.audited.map(({ action, about }) => [action, about]),
      [['signed_in', null]],
    );
  });

  it('over https makes the cookies such that only https can set and get them', async () => {
    const { post, get, withoutCookie } = await setConsoleStage();
    const https = { 'x-forwarded-proto': 'https' };
    const { headers } = await post('/sign-in', { password: PASSWORD }, https);
    const [console = '', known = ''] = headers['set-cookie'] as string[];
    assert.match(
      console,
      /^__Host-staywire_console_0=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/; Secure$/,
    );
    assert.match(known, /^__Secure-staywire_known_0=.*; Path=\/sign-in; Max-Age=\d+; Secure$/);
    withoutCookie();
    const [cookie = ''] = console.split(';', 1);
    assert.equal((await get('/today', { cookie, ...https })).status, 200);
    const plain = cookie.replace('__Host-', '');
    assert.equal((await get('/today', { cookie: plain, ...https })).status, 303, 'whoever can set this one');
    const overTwo = await post('/sign-in', { password: PASSWORD }, { 'x-forwarded-proto': 'https, http' });
    assert.match(
      String(overTwo.headers['set-cookie']),
      /^__Host-.*; Secure/,
      'the proxy of the browser comes first',
    );
  });

  it('leads back to the page that was asked for, and never elsewhere', async () => {
    const { get, post } = await setConsoleStage();
    const sent = await get('/demand?range=7d');
    assert.equal(sent.status, 303);
    assert.equal(sent.headers.location, '/sign-in?next=%2Fdemand%3Frange%3D7d');
    const form = await get(String(sent.headers.location));
    assert.match(form.text, /name="next" value="\/demand\?range=7d"/);
    for (const [next, expected] of [
      ['/demand?range=7d', '/demand?range=7d'],
      ['//evil.example', '/today'],
      ['https://evil.example', '/today'],
      ['/\\evil.example', '/today'],
      ['/sign-out', '/today'],
      ['/today/../../x', '/today'],
      ['javascript:alert(1)', '/today'],
    ] as const) {
      const { headers } = await post('/sign-in', { password: PASSWORD, next });
      assert.equal(headers.location, expected, next);
    }
  });

  it('fails with a wrong password, and says nothing of it', async () => {
    const { signIn, get, state } = await setConsoleStage();
    const answer = await signIn('a wrong <password>');
    assert.equal(answer.status, 401);
    assert.match(answer.text, /That is not the password\./);
    assert.equal(answer.headers['set-cookie'], undefined);
    assert.equal((await get('/today')).status, 303);
    const all = `${answer.text}${JSON.stringify(state.audited)}${state.logged.join()}`;
    assert.ok(!all.includes('wrong &') && !all.includes('wrong <'));
    assert.deepEqual(actionsIn(state), ['sign_in_refused']);
  });

  it('is refused after five wrong tries in a minute, also with the right password and from elsewhere', async () => {
    const { signIn, post, state } = await setConsoleStage();
    for (let tries = 0; tries < 5; tries += 1) assert.equal((await signIn('wrong')).status, 401);
    const refused = await post('/sign-in', { password: PASSWORD }, { 'x-forwarded-for': '203.0.113.9' });
    assert.equal(refused.status, 429);
    assert.equal(refused.headers['retry-after'], '60');
    assert.match(refused.text, /Too many tries\. The next one is possible in 60 seconds/);
    state.elapsed = 60_000;
    assert.equal((await signIn()).status, 303);
    assert.deepEqual(actionsIn(state), [
      ...Array<string>(5).fill('sign_in_refused'),
      'sign_in_limited',
      'signed_in',
    ]);
  });

  it('is possible in a browser that was signed in before, while others use up all tries', async () => {
    const { signIn, post, withoutCookie, state } = await setConsoleStage();
    const [, known] = (await signIn()).headers['set-cookie'] as string[];
    assert.match(
      known ?? '',
      /^staywire_known_0=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/sign-in; Max-Age=\d+$/,
    );
    withoutCookie();
    const tryWith = async (password: string, cookie?: string) =>
      (await post('/sign-in', { password }, cookie === undefined ? {} : { cookie })).status;
    for (let tries = 0; tries < 5; tries += 1) assert.equal(await tryWith('wrong'), 401);
    const cookie = known?.split(';', 1)[0] ?? '';
    assert.equal(await tryWith(PASSWORD), 429);
    assert.equal(await tryWith(PASSWORD, `${cookie.slice(0, -1)}`), 429, 'one that somebody made up');
    assert.equal(await tryWith(PASSWORD, cookie), 303);
    for (let tries = 0; tries < 5; tries += 1) assert.equal(await tryWith('wrong', cookie), 401);
    assert.equal(await tryWith(PASSWORD, cookie), 429, 'it is no way to guess for ever');
    state.elapsed = 60_000;
    assert.equal(await tryWith('wrong', cookie), 401, 'and signs nobody in');
  });

  it('looks up no account for a stranger, also with a cookie that it made up', async () => {
    let lookups = 0;
    const accountBehind = async () => {
      lookups += 1;
      return 1000;
    };
    const { signIn, post, withoutCookie } = await setConsoleStage({ accountBehind });
    const [, known = ''] = (await signIn()).headers['set-cookie'] as string[];
    withoutCookie();
    lookups = 0;
    const own = known.split(';', 1)[0] ?? '';
    const [name = '', value = ''] = own.split('=');
    const madeUp = [undefined, `${name}=${value.split('').reverse().join('')}`, `${name}=`];
    for (const cookie of [...madeUp, ...madeUp]) {
      await post('/sign-in', { password: 'wrong' }, cookie === undefined ? {} : { cookie });
    }
    assert.equal((await post('/sign-in', { password: PASSWORD })).status, 429);
    assert.equal(lookups, 0);
    assert.equal((await post('/sign-in', { password: PASSWORD }, { cookie: own })).status, 303);
    assert.ok(lookups > 0);
  });

  it('leaves a browser its own tries when another account of the machine got what proves it', async () => {
    const { signIn, post, withoutCookie, state } = await setConsoleStage();
    state.account = 1000;
    const [, known = ''] = (await signIn()).headers['set-cookie'] as string[];
    withoutCookie();
    const cookie = known.split(';', 1)[0] ?? '';
    const tryWith = async (password: string) => (await post('/sign-in', { password }, { cookie })).status;
    for (const account of [1001, null]) {
      state.account = account;
      for (let tries = 0; tries < 5; tries += 1) await tryWith('wrong');
      assert.equal(await tryWith(PASSWORD), 429, 'it is a stranger');
    }
    state.account = 1000;
    assert.equal(await tryWith(PASSWORD), 303);
  });

  it('ends every session of the browser with signing out', async () => {
    const { signIn, formToken, cookie, post, get } = await setConsoleStage();
    await signIn();
    const first = cookie();
    await signIn();
    const form_token = await formToken();
    const both = { cookie: `${cookie()}; ${first}` };
    assert.equal((await post('/sign-out', { form_token }, both)).status, 303);
    assert.equal((await get('/today', both)).status, 303);
  });

  it('is not possible before there is a password: one page names the command', async () => {
    const { get, signIn, state } = await setConsoleStage({ hasPassword: false });
    const page = await get('/sign-in');
    assert.equal(page.status, 503);
    assert.match(page.text, /<code>staywire console password<\/code>/);
    assert.doesNotMatch(page.text, /type="password"/);
    const tried = await signIn('');
    assert.equal(tried.status, 503);
    assert.deepEqual(actionsIn(state), ['sign_in_impossible'], 'looking at the page is no try');
  });

  it('is refused from a page elsewhere, with the right password too', async () => {
    const { post, state } = await setConsoleStage();
    const elsewhere = { origin: 'https://evil.example' };
    assert.equal((await post('/sign-in', { password: PASSWORD }, elsewhere)).status, 403);
    assert.deepEqual(actionsIn(state), ['form_refused']);
  });

  it('ends with signing out, with a change of the password, and after eight hours', async () => {
    const stage = await setConsoleStage();
    await stage.signIn();
    const token = await stage.formToken();
    const kept = stage.cookie();
    const out = await stage.post('/sign-out', { form_token: token });
    assert.equal(out.headers.location, '/sign-in');
    assert.match(String(out.headers['set-cookie']), /=; .*Max-Age=0$/);
    assert.equal((await stage.get('/today', { cookie: kept })).status, 303);
    assert.equal(stage.state.audited.at(-1)?.action, 'signed_out');

    await stage.signIn();
    stage.state.password = stage.state.password?.replace(/.$/, (last) => (last === 'A' ? 'E' : 'A')) ?? null;
    assert.equal((await stage.get('/today')).status, 303);
    assert.equal(stage.state.audited.at(-1)?.action, 'password_changed');

    const other = await setConsoleStage();
    await other.signIn();
    other.state.elapsed = 8 * 3_600_000;
    assert.equal((await other.get('/today')).status, 303);
  });

  it('is kept up by whoever uses the console, and not by a page that updates itself', async () => {
    const after = async (headers: Record<string, string>) => {
      const stage = await setConsoleStage();
      await stage.signIn();
      stage.state.elapsed = 5 * 3_600_000;
      assert.equal((await stage.get('/today', headers)).status, 200);
      stage.state.elapsed = 10 * 3_600_000;
      return (await stage.get('/today')).status;
    };
    assert.deepEqual([await after({}), await after({ 'staywire-live': '1' })], [200, 303]);
  });

  it('a password that was set while nobody looked is in the audit log once', async () => {
    const stage = await setConsoleStage();
    stage.state.noticedPassword = 'of the one before';
    await stage.signIn();
    await stage.get('/today');
    assert.deepEqual(actionsIn(stage.state), ['password_changed', 'signed_in']);
    const afterRestart = await setConsoleStage();
    afterRestart.state.password = stage.state.password;
    afterRestart.state.noticedPassword = stage.state.noticedPassword;
    await afterRestart.signIn();
    assert.deepEqual(actionsIn(afterRestart.state), ['signed_in']);
  });
});

test('five wrong passwords in a minute, then none until the first is a minute ago', async () => {
  let now = 0;
  const attempt = createSignInTries({ elapsed: () => now });
  let asked = 0;
  const wrong = async () => {
    asked += 1;
    return false;
  };
  for (now = 0; now < 5000; now += 1000)
    assert.deepEqual(await attempt(wrong), { kind: 'done', value: false });
  assert.deepEqual(await attempt(wrong), { kind: 'too_many', retryAfterSeconds: 55 });
  assert.deepEqual(await attempt(async () => true), { kind: 'too_many', retryAfterSeconds: 55 });
  assert.equal(asked, 5);
  now = 60_000;
  assert.deepEqual(await attempt(wrong), { kind: 'done', value: false });
  assert.equal((await attempt(wrong)).kind, 'too_many');
});

test('a browser that was signed in before has tries of its own', async () => {
  const attempt = createSignInTries({ elapsed: () => 0 });
  const wrong = async () => false;
  for (let count = 0; count < 9; count += 1) await attempt(wrong);
  for (let count = 0; count < 5; count += 1) assert.equal((await attempt(wrong, 'known')).kind, 'done');
  assert.equal((await attempt(async () => true, 'known')).kind, 'too_many', 'and no more of them');
});

test('one is tried at a time, and one that fails does not stop the next', async () => {
  const attempt = createSignInTries({ elapsed: () => 0 });
  let atOnce = 0;
  const alone = async () => {
    atOnce += 1;
    assert.equal(atOnce, 1);
    await Promise.resolve();
    atOnce -= 1;
    return false;
  };
  const broken = attempt(async () => {
    throw new Error('broken');
  });
  const others = [attempt(alone), attempt(alone), attempt(alone)];
  await assert.rejects(broken, /broken/);
  for (const other of others) assert.deepEqual(await other, { kind: 'done', value: false });
});
