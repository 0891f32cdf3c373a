import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { systemClock } from '../../src/clock.ts';
import { auditFilesIn } from '../../src/telemetry/audit/audit-files.ts';
import { openAuditLog } from '../../src/telemetry/audit/audit-log.ts';
import type { AuditEntry } from '../../src/telemetry/audit/audit-record.ts';
import { verifyLog } from '../../src/telemetry/audit/verify-log.ts';
import { mcpMessage } from '../support/mcp-message.ts';
import { exchange } from '../support/raw-http.ts';
import { setScene } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary-storage.ts';

const STRANGER = '203.0.113.77';
const SECRET = 'marked-secret';

function gathering() {
  const records: AuditEntry[] = [];
  return { records, audit: (record: AuditEntry) => void records.push(record) };
}

const requestsOf = (records: readonly AuditEntry[]) =>
  records.map((record) => {
    assert.ok(record.kind === 'request');
    const { who, what, tools, status, outcome } = record;
    return [who?.assistant ?? null, who?.way ?? null, what, ...(tools ? [tools] : []), status, outcome];
  });

test('who did what, by which way, and what came of it', async (t) => {
  const { records, audit } = gathering();
  const { service, open } = await setScene(t, { audit });
  const { token } = await open();
  await service.post('/ai/v1/search', { session: token, destination: 'nowhere' });
  await service.get('/ai/v1/result?session=unknown');
  await service.call({ method: 'GET', url: '/ai/v1/terms', remoteAddress: STRANGER });
  await service.call({ method: 'POST', url: '/mcp', remoteAddress: STRANGER });
  await service.get('/ai/nothing');
  await service.get('/ai/v1/terms', { host: 'evil.example' });
  await service.get('/', { host: 'evil.example' });
  const [opened, searched, read, ...others] = requestsOf(records);
  assert.deepEqual(opened, ['local', 'network', 'openSession', 200, 'done']);
  assert.deepEqual(searched?.slice(0, 4), ['local', 'network', 'search', 200]);
  assert.notEqual(searched?.[4], 'done');
  assert.deepEqual(read?.slice(0, 3), ['local', 'network', 'readResult']);
  assert.deepEqual(others, [
    [null, null, 'readTerms', 403, 'unknown_caller'],
    [null, null, 'mcp', 403, 'unknown_caller'],
    ['local', 'network', 'other', 404, 'not_found'],
    [null, null, 'readTerms', 403, 'other_host'],
    [null, null, 'other', 403, 'other_host'],
  ]);
  assert.match(String((records[0] as { request?: string }).request), /^req_/);
});

test('unusual ways to ask are refused and written down as the others are', async (t) => {
  const { records, audit } = gathering();
  const { service } = await setScene(t, { audit });
  const origin = await service.listen();
  const terms = '/ai/v1/terms';
  const page = 'Origin: https://page.example';
  const upgrade = 'Upgrade: websocket';
  const asked = [
    [[`GET ${terms}`, 'Host: localhost', 'Connection: upgrade, close', upgrade, page], 403],
    [[`GET ${terms}`, 'Host: localhost', 'Connection: upgrade, close', upgrade], 200],
    [[`OPTIONS ${terms}`, 'Host: localhost', page], 403],
    [[`OPTIONS ${terms}`, 'Host: localhost'], 405],
    [['TRACE /mcp', 'Host: localhost'], 405],
    [[`GET ${terms}`, 'Host: localhost', 'Host: localhost'], 403],
    [[`GET http://evil.example${terms}`, 'Host: localhost'], 403],
    [['GET /ai/v1/%zz', 'Host: localhost', page], 403],
    [[`GET ${terms}`, 'Host: localhost', 'Expect: nothing', page], 403],
  ] as const;
  for (const [[line, ...headers], status] of asked) {
    const sent = [`${line} HTTP/1.1`, ...headers, 'Connection: close', '', ''].join('\r\n');
    assert.equal((await exchange(origin, [sent])).status, status, line);
  }
  await service.close();
  assert.deepEqual(requestsOf(records), [
    [null, null, 'readTerms', 403, 'browser'],
    ['local', 'network', 'readTerms', 200, 'done'],
    [null, null, 'readTerms', 403, 'browser'],
    ['local', 'network', 'readTerms', 405, 'method_not_allowed'],
    ['local', 'network', 'mcp', 405, 'method_not_allowed'],
    [null, null, 'readTerms', 403, 'other_host'],
    [null, null, 'readTerms', 403, 'other_host'],
    [null, null, 'other', 403, 'browser'],
    [null, null, 'readTerms', 403, 'browser'],
  ]);
});

test('public pages and health checks leave nothing', async (t) => {
  const { records, audit } = gathering();
  const { service } = await setScene(t, { audit });
  for (const url of ['/', '/healthz', '/readyz', '/openapi.json', '/llms.txt', '/nothing'])
    await service.get(url);
  await service.get('/healthz', { host: 'evil.example' });
  assert.deepEqual(records, []);
});

test('a call that was refused over MCP is written down as refused, with the code that REST would give', async (t) => {
  const { records, audit } = gathering();
  const { service } = await setScene(t, { audit });
  const origin = await service.listen();
  const call = (name: string | undefined, args: object = {}) =>
    ['tools/call', { name, arguments: args }] as const;
  const rows = [
    [call('search_stays', { sort: 3 }), 'invalid_request'],
    [call('show_stay', { session: 'unknown' }), 'invalid_request'],
    [call('refine_stays', { session: 'st_unknown', sort: 'price' }), 'session_not_found'],
    [call('nothing'), 'not_found'],
    [call(undefined), 'not_found'],
    [['resources/read', { uri: 'ui://nothing' }], 'not_found'],
    [['nothing', {}], 'not_found'],
    // By the step that it takes: an ordinary one of the guided search has the same outcome over REST.
    [call('describe_network'), 'incomplete_payload'],
    [['resources/read', { uri: 'ui://staywire/comparison.html' }], 'done'],
    [['tools/list', {}], 'done'],
  ] as const;
  const outcomeOf = async (headers: Record<string, string>, body: string) => {
    const seen = records.length;
    const answer = await (await fetch(`${origin}/mcp`, { method: 'POST', headers, body })).text();
    // What is written down is no part of the answer, and may come a moment later.
    while (records.length === seen) await new Promise(setImmediate);
    const record = records.at(-1);
    assert.ok(record?.kind === 'request');
    return [record.outcome, answer];
  };
  /** Revisions of 2025 answer with a stream of events, and send one as it comes to whoever waits for progress. */
  const before2026 = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  for (const [[method, params], expected] of rows) {
    const { headers, body } = mcpMessage(method, params);
    const earlier = { jsonrpc: '2.0', id: 1, method, params };
    const listening = { ...earlier, params: { ...params, _meta: { progressToken: 1 } } };
    const fine = { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} };
    for (const [sent, message] of [
      [headers, body],
      [before2026, earlier],
      [before2026, listening],
      [before2026, [earlier, fine]],
    ] as const) {
      const [outcome, answer] = await outcomeOf(sent, JSON.stringify(message));
      assert.equal(outcome, expected, `${JSON.stringify(message)}: ${answer}`);
    }
  }
  for (const body of ['{no json', '"a text"', '{"jsonrpc":"1.0"}', '[]']) {
    const [outcome, answer] = await outcomeOf(before2026, body);
    assert.equal(outcome, 'invalid_request', `${body}: ${answer}`);
  }
});

test('nothing that a caller says is in the files: no token, no address, no header, no path, no argument', async (t) => {
  const directory = temporaryDirectory(t);
  const log = openAuditLog({
    directory,
    days: 1,
    clock: systemClock,
    observe: {
      ...{ closed() {}, torn() {}, damaged() {}, pruned() {} },
      failed: assert.fail,
      lost: () => assert.fail(),
    },
  });
  const { service, open } = await setScene(t, { audit: log.record });
  const { token } = await open();
  const marked = (name: string) => `${SECRET}-${name}-ü\n"}`;
  /** Whoever is approved does not look like a browser. */
  const plain = { 'user-agent': `${SECRET}-agent`, 'idempotency-key': `${SECRET}-key-0123456789` };
  const headers = {
    ...plain,
    'x-forwarded-for': `${SECRET}-forwarded`,
    'x-request-id': `${SECRET}-request`,
    authorization: `Bearer ${SECRET}-bearer`,
    cookie: `session=${SECRET}-cookie`,
    referer: `https://${SECRET}.example/`,
    'signature-agent': `"https://${SECRET}.example"`,
    'signature-input': `sig1=("@authority");keyid="${SECRET}";tag="web-bot-auth"`,
    signature: `sig1=:${Buffer.from(SECRET).toString('base64')}:`,
  };
  const paths = [
    `/ai/v1/search?session=${token}&destination=${SECRET}`,
    `/ai/v1/${SECRET}`,
    `/ai/v1/search/${SECRET}`,
    `/${SECRET}`,
    `/%61i/v1/result?session=${token}`,
    `/ai/%00${SECRET}%ff`,
    `/mcp/${SECRET}`,
  ];
  const { call } = service;
  const origin = await service.listen();
  for (const caller of [
    { remoteAddress: '127.0.0.1', sent: plain },
    { remoteAddress: STRANGER, sent: headers },
  ]) {
    const { remoteAddress, sent } = caller;
    for (const url of paths) {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE'] as const) {
        await call({ method, url, headers: sent, remoteAddress });
        await call({ method, url, headers: { ...headers, host: `${SECRET}.example` }, remoteAddress });
      }
    }
    for (const payload of [
      { session: token, destination: marked('place'), [SECRET]: marked('field') },
      { session: marked('session') },
    ]) {
      const body = JSON.stringify(payload);
      const json = { ...sent, 'content-type': 'application/json' };
      await call({ method: 'POST', url: '/ai/v1/search', headers: json, payload: body, remoteAddress });
    }
  }
  for (const [method, params] of [
    ['tools/call', { name: 'search_stays', arguments: { destination: marked('argument'), session: token } }],
    ['tools/call', { name: marked('tool'), arguments: { [SECRET]: SECRET } }],
    ['tools/call', { name: { [SECRET]: SECRET } }],
    [SECRET, {}],
  ] as const) {
    const message = mcpMessage(method, params, { meta: { [SECRET]: SECRET } });
    const text = JSON.stringify(message.body);
    for (const body of [text, `[${text},${text}]`, `${text}${SECRET}`]) {
      const mcp = { ...plain, ...message.headers, 'mcp-name': SECRET };
      await (await fetch(`${origin}/mcp`, { method: 'POST', headers: mcp, body })).text();
      await call({ method: 'POST', url: '/mcp', headers: mcp, payload: body, remoteAddress: STRANGER });
    }
  }
  // Connections are closed once all that was sent over them is over.
  await service.close();
  await log.close();
  const text = auditFilesIn(directory)
    .map(({ path }) => readFileSync(path, 'utf8'))
    .join('');
  assert.ok(text.includes('"outcome":"unknown_caller"') && text.includes('"tools":["search_stays"'), text);
  for (const said of [
    SECRET,
    token,
    STRANGER,
    '127.0.0.1',
    'marked',
    Buffer.from(SECRET).toString('base64'),
  ]) {
    assert.ok(!text.includes(said), said);
  }
  assert.equal((await verifyLog({ directory })).fault, null);
});
