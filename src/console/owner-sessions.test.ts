import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { endianness } from 'node:os';
import { test } from 'node:test';
import { systemRandom } from '../random.ts';
import { createAccountBehind, createOwnerSessions } from './owner-sessions.ts';

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

const TABLE = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:24F9 00000000:0000 0A 00000000:00000000 00:00000000 00000000   990        0 50 1 0000000075 100 0 0 10 0
   4: 0100007F:C352 0100007F:24F9 05 00000000:00000000 00:00000000 00000000     0        0 0 1 0000000075 20 4 30 10 -1
   1: 0100007F:24F9 0100007F:C350 01 00000000:00000000 00:00000000 00000000   990        0 51 1 0000000075 20 4 30 10 -1
   2: 0200007F:C350 0100007F:24F9 01 00000000:00000000 00:00000000 00000000  1002        0 52 1 0000000075 20 4 30 10 -1
   3: 0100007F:C350 0100007F:24F9 01 00000000:00000000 00:00000000 00000000  1001        0 53 1 0000000075 20 4 30 10 -1
`;
/** A client with a socket of IPv6 that reaches an address of IPv4. */
const TABLE_OF_IPV6 = `  sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0000000000000000FFFF00000100007F:C351 0000000000000000FFFF00000100007F:24F9 01 00000000:00000000 00:00000000 00000000  1003        0 54 1 0000000075 20 4 30 10 -1
`;
const TO_US = { remoteAddress: '127.0.0.1', remotePort: 50_000, localAddress: '127.0.0.1', localPort: 9465 };
const isTold = process.platform === 'linux' && endianness() === 'LE';

test('the account is that of the end that opened the connection', { skip: !isTold }, async () => {
  const accountBehind = createAccountBehind(async () => TABLE);
  assert.equal(await accountBehind({ ...TO_US }), 1001);
  assert.equal(await accountBehind({ ...TO_US, remoteAddress: '127.0.0.2' }), 1002);
  assert.equal(await accountBehind({ ...TO_US, remoteAddress: '::ffff:127.0.0.1' }), 1001);
  assert.equal(await accountBehind({ ...TO_US, remotePort: 50_001 }), null);
  assert.equal(await accountBehind({ ...TO_US, remotePort: 50_002 }), null, 'its other end is closed');
});

test('it is found among the sockets of IPv6 too, whatever ours is', { skip: !isTold }, async () => {
  const accountBehind = createAccountBehind(async (path) => (path.endsWith('6') ? TABLE_OF_IPV6 : TABLE));
  const mapped = { remoteAddress: '::ffff:127.0.0.1', localAddress: '::ffff:127.0.0.1' };
  for (const form of [{}, mapped]) {
    assert.equal(await accountBehind({ ...TO_US, ...form, remotePort: 50_001 }), 1003);
    assert.equal(await accountBehind({ ...TO_US, ...form }), 1001);
    assert.equal(await accountBehind({ ...TO_US, ...form, remotePort: 50_002 }), null);
  }
});

test('it is null where nobody tells, and nobody is asked about another machine', async () => {
  const silent = createAccountBehind(async () => {
    throw new Error('no such file');
  });
  assert.equal(await silent({ ...TO_US }), null);
  let asked = 0;
  const counting = createAccountBehind(async () => {
    asked += 1;
    return TABLE;
  });
  assert.equal(await counting({ ...TO_US, remoteAddress: '203.0.113.9' }), null);
  assert.equal(asked, 0);
});

for (const [host, reachedBy] of [
  ['127.0.0.1', '127.0.0.1'],
  ['127.0.0.1', '::ffff:127.0.0.1'],
  ['::', '127.0.0.1'],
  ['::', '::ffff:127.0.0.1'],
  ['::1', '::1'],
] as const) {
  test(`a connection to ${host} by ${reachedBy} is of the account that runs this test`, {
    skip: !isTold,
  }, async (t) => {
    const server = createServer();
    try {
      await once(server.listen(0, host), 'listening');
    } catch {
      return t.skip('this machine has no such address');
    }
    t.after(() => server.close());
    const client = connect((server.address() as AddressInfo).port, reachedBy);
    t.after(() => client.destroy());
    const [socket] = (await once(server, 'connection')) as [Socket];
    t.after(() => socket.destroy());
    const accountBehind = createAccountBehind((path) => readFile(path, 'latin1'));
    assert.equal(await accountBehind(socket), process.getuid?.());
  });
}
