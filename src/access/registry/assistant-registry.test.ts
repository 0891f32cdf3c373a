import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { isAmong, parseAddress } from '../../parsing/ip-address.ts';
import { invalid, type Reading, valid } from '../../parsing/reading.ts';
import {
  type AssistantRegistry,
  describeAssistantRegistry,
  readAssistantRegistry,
  registryFor,
} from './assistant-registry.ts';
import { AssistantEntry, RECOGNITIONS, type WellKnownAssistant, WORDS_OF_FORMS } from './registry-file.ts';

const CATALOGUE: readonly WellKnownAssistant[] = [
  {
    id: 'chatgpt',
    name: 'ChatGPT',
    about: 'Of OpenAI.',
    recognisedBy: [
      { signature_agent: 'https://chatgpt.com' },
      { user_agent: 'ChatGPT-User', ranges_url: 'https://openai.com/chatgpt-user.json' },
    ],
  },
];

const published: Readonly<Record<string, unknown>> = {
  'openai.json': {
    creationTime: '2026-10-01',
    prefixes: [{ ipv4Prefix: '203.0.113.0/28' }, { ipv6Prefix: '2001:db8::/48' }],
  },
  'strings.json': ['198.51.100.0/24'],
  'other.json': { ranges: ['198.51.100.0/24'] },
  'slip.json': { prefixes: [{ ipv4Prefix: '203.0.113.1/28' }] },
  'world.json': { prefixes: [{ ipv4Prefix: '203.0.113.0/28' }, { ipv4Prefix: '0.0.0.0/0' }] },
  'half.json': ['16.0.0.0/8', '17.0.0.0/8', '18.0.0.0/8'],
  'own.json': ['10.20.0.0/16'],
};

function readPublished(path: string): Reading<unknown> {
  return path in published ? valid(published[path]) : invalid('cannot be read: no such file');
}

function accepted(file: unknown): AssistantRegistry {
  const reading = describeAssistantRegistry(file, readPublished, CATALOGUE);
  assert.equal(reading.kind, 'valid', inspect(reading));
  return reading.value;
}

function faultsIn(file: unknown): readonly string[] {
  const reading = describeAssistantRegistry(file, readPublished, CATALOGUE);
  assert.equal(reading.kind, 'invalid', 'it was accepted');
  return reading.faults;
}

function address(text: string) {
  const parsed = parseAddress(text);
  assert.ok(parsed);
  return parsed;
}

test('every way of recognition is read', () => {
  const { assistants } = accepted({
    assistants: [
      {
        id: 'acme',
        name: 'Acme',
        status: 'approved',
        recognised_by: [
          { signature_agent: 'https://Agent.Acme.example' },
          { user_agent: 'Acme-User', ranges: ['192.0.2.0/24'] },
          { user_agent: 'Acme-User', ranges_file: 'openai.json' },
          { user_agent: 'Acme-User', ranges_file: 'strings.json' },
          { user_agent: 'Acme-User', reverse_dns: ['.Fetch.Acme.example'] },
          { network: ['10.0.0.0/8', '::1'] },
          { jwks_uri: 'https://Keys.Acme.example/jwks.json' },
          { user_agent: 'Acme-User', ranges_url: 'https://Acme.example/ranges.json' },
        ],
      },
    ],
  });
  const ways = assistants[0]?.recognisedBy ?? [];
  assert.deepEqual(
    ways.map(({ kind }) => kind),
    ['signature', 'ranges', 'ranges', 'ranges', 'reverse_dns', 'network', 'signature', 'published_ranges'],
  );
  const [signature, , fromObjects, fromStrings, names] = ways;
  assert.deepEqual(signature, {
    kind: 'signature',
    keysUrl: 'https://agent.acme.example/.well-known/http-message-signatures-directory',
  });
  assert.deepEqual(ways.at(-2), { kind: 'signature', keysUrl: 'https://keys.acme.example/jwks.json' });
  assert.deepEqual(ways.at(-1), {
    kind: 'published_ranges',
    userAgent: 'Acme-User',
    url: 'https://acme.example/ranges.json',
  });
  assert.ok(fromObjects?.kind === 'ranges' && isAmong(fromObjects.ranges, address('203.0.113.15')));
  assert.ok(
    isAmong(fromObjects.ranges, address('2001:db8::1')) &&
      !isAmong(fromObjects.ranges, address('203.0.113.16')),
  );
  assert.ok(fromStrings?.kind === 'ranges' && isAmong(fromStrings.ranges, address('198.51.100.1')));
  assert.ok(names?.kind === 'reverse_dns');
  assert.deepEqual(names.domains, ['fetch.acme.example']);
});

test('a saved list may name networks of the owner', () => {
  const recognised_by = [{ user_agent: 'A-User', ranges_file: 'own.json' }];
  const { assistants } = accepted({
    assistants: [{ id: 'a', name: 'A', status: 'approved', recognised_by }],
  });
  const [way] = assistants[0]?.recognisedBy ?? [];
  assert.ok(way?.kind === 'ranges' && isAmong(way.ranges, address('10.20.3.4')));
});

test('an assistant may have limits of its own, of which each is optional', () => {
  const entry = { name: 'A', status: 'approved', recognised_by: [{ network: ['::1'] }] };
  const { assistants } = accepted({
    assistants: [
      { ...entry, id: 'a', limits: { requests: 3, sessions: 5, megabytes: 7, searches: 9 } },
      { ...entry, id: 'b', limits: { sessions: 5 } },
      { ...entry, id: 'c' },
    ],
  });
  assert.deepEqual(
    assistants.map(({ limits }) => limits),
    [{ requests: 3, sessions: 5, megabytes: 7, searches: 9 }, { sessions: 5 }, undefined],
  );
});

test('one that is known by its id needs neither a name nor ways, and may have its own', () => {
  const recognised_by = [{ network: ['192.0.2.1'] }];
  const history = [{ at: '2026-11-17T04:30:00Z', change: 'approved', note: 'As agreed.' }];
  const [known] = accepted({ assistants: [{ id: 'chatgpt', status: 'suspended', history }] }).assistants;
  assert.deepEqual([known?.name, known?.status], ['ChatGPT', 'suspended']);
  assert.deepEqual(
    known?.recognisedBy.map(({ kind }) => kind),
    ['signature', 'published_ranges'],
  );
  const [own] = accepted({
    assistants: [{ id: 'chatgpt', name: 'Ours', status: 'approved', recognised_by }],
  }).assistants;
  assert.deepEqual([own?.name, own?.recognisedBy.map(({ kind }) => kind)], ['Ours', ['network']]);
  assert.deepEqual(faultsIn({ assistants: [{ id: 'stranger', status: 'approved' }] }), [
    'assistants[0] (stranger): name and recognised_by must be given, because "stranger" is not known by its id',
  ]);
  assert.deepEqual(faultsIn({ assistants: [{ id: 'stranger', status: 'approved', recognised_by }] }), [
    'assistants[0] (stranger): name must be given, because "stranger" is not known by its id',
  ]);
});

test('a history has a form, and an end', () => {
  const change = { at: '2026-11-17T04:30:00Z', change: 'approved' };
  const withHistory = (history: unknown) => ({
    assistants: [{ id: 'chatgpt', status: 'approved', history }],
  });
  accepted(withHistory(Array.from({ length: 100 }, () => change)));
  for (const history of [
    Array.from({ length: 101 }, () => change),
    [{ ...change, at: 'yesterday' }],
    [{ ...change, change: 'forgotten' }],
    [{ ...change, by: 'me' }],
  ]) {
    assert.match(faultsIn(withHistory(history)).join(), /^assistants\[0\] \(chatgpt\)\.history/);
  }
});

test('all faults are listed at once, each with its place', () => {
  const faults = faultsIn({
    assistants: [
      { id: 'Not An Id', name: 'A', status: 'approved', recognised_by: [{ network: ['::1'] }] },
      { id: 'b', name: 'B', status: 'paused', recognised_by: [] },
      {
        id: 'c',
        name: 'C',
        status: 'approved',
        recognised_by: [
          { network: ['10.0.0.1/8', 'nowhere'] },
          { user_agent: 'C' },
          { user_agent: 'C-User', ranges_file: 'missing.json' },
          { user_agent: 'C-User', ranges_file: 'other.json' },
          { user_agent: 'C-User', ranges_file: 'slip.json' },
          { user_agent: 'C-User', ranges_file: 'world.json' },
          { user_agent: 'C-User', ranges_file: 'half.json' },
          { user_agent: 'C-User', reverse_dns: ['com'] },
          { signature_agent: 'http://c.example' },
          { network: ['::1'], user_agent: 'C-User' },
          { jwks_uri: 'http://c.example/keys' },
          { user_agent: 'C-User', ranges_url: 'https://c.example' },
          { user_agent: 'C-User', ranges_url: 'https://user@c.example/list' },
          'everyone',
        ],
      },
      { id: 'c', name: 'C again', status: 'approved', recognised_by: [{ network: ['::1'] }] },
      { id: 'local', name: 'L', status: 'approved', recognised_by: [{ network: ['::1'] }] },
      { id: 'console', name: 'C', status: 'approved', recognised_by: [{ network: ['::1'] }] },
    ],
  });
  const expected = [
    /^assistants\[0\]\.id: /,
    /^assistants\[1\] \(b\)\.status: must be "approved" or "suspended"$/,
    /^assistants\[1\] \(b\)\.recognised_by: /,
    /^assistants\[2\] \(c\)\.recognised_by\[0\]: "10\.0\.0\.1\/8" has bits set beyond its prefix/,
    /^assistants\[2\] \(c\)\.recognised_by\[0\]: "nowhere" is not an address/,
    /^assistants\[2\] \(c\)\.recognised_by\[1\]: names none of network, ranges, ranges_file, reverse_dns, ranges_url, signature_agent, jwks_uri$/,
    /^assistants\[2\] \(c\)\.recognised_by\[2\]: missing\.json cannot be read: no such file$/,
    /^assistants\[2\] \(c\)\.recognised_by\[3\]: other\.json: is neither /,
    /^assistants\[2\] \(c\)\.recognised_by\[4\]: slip\.json: "203\.0\.113\.1\/28" has bits/,
    /^assistants\[2\] \(c\)\.recognised_by\[5\]: world\.json: "0\.0\.0\.0\/0" is wider than a published network can be$/,
    /^assistants\[2\] \(c\)\.recognised_by\[6\]: half\.json: covers more addresses than an assistant can have$/,
    /^assistants\[2\] \(c\)\.recognised_by\[7\]\.reverse_dns\.0: must be a domain of at least two labels/,
    /^assistants\[2\] \(c\)\.recognised_by\[8\]\.signature_agent: must begin with https:\/\/ and end with the host, such as https:\/\/chatgpt\.com$/,
    /^assistants\[2\] \(c\)\.recognised_by\[9\]\.user_agent: is not a member of this entry$/,
    /^assistants\[2\] \(c\)\.recognised_by\[10\]\.jwks_uri: must begin with https:\/\/ and lead to a document/,
    /^assistants\[2\] \(c\)\.recognised_by\[11\]\.ranges_url: /,
    /^assistants\[2\] \(c\)\.recognised_by\[12\]\.ranges_url: /,
    /^assistants\[2\] \(c\)\.recognised_by\[13\]: names none of /,
    /^assistants\[3\] \(c\): the id "c" is used twice$/,
    /^assistants\[4\] \(local\): the id "local" stands for STAYWIRE_TRUSTED_NETWORKS; choose another$/,
    /^assistants\[5\] \(console\): the id "console" stands for the console; choose another$/,
  ];
  assert.equal(faults.length, expected.length, faults.join('\n'));
  for (const [index, pattern] of expected.entries()) assert.match(faults[index] ?? '', pattern);
});

test('what is wrong with an entry comes together with what is wrong with its ways', () => {
  const recognised_by = [{ signature_agent: 'http://a.example' }];
  assert.deepEqual(
    faultsIn({
      assistants: [
        { id: 'a', name: 'A', status: 'aproved', recognised_by },
        { id: 'a', name: 'A', status: 'approved', recognised_by: 'everybody' },
        null,
      ],
    }),
    [
      'assistants[0] (a).status: must be "approved" or "suspended"',
      'assistants[0] (a).recognised_by[0].signature_agent: must begin with https:// and end with the host, such as https://chatgpt.com',
      'assistants[1] (a): the id "a" is used twice',
      'assistants[1] (a).recognised_by: must be array',
      'assistants[2]: must be object',
    ],
  );
});

test('every text that has a form is told of in words', () => {
  const patterns = [
    ...JSON.stringify([AssistantEntry, RECOGNITIONS]).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g),
  ];
  assert.ok(patterns.length > 5);
  for (const [, pattern = ''] of patterns) assert.ok(WORDS_OF_FORMS.has(JSON.parse(pattern)), pattern);
});

test('an origin that looks like one and is none is a fault', () => {
  const recognised_by = [
    { signature_agent: 'https://[' },
    { jwks_uri: 'https://[/keys' },
    { jwks_uri: 'https://c.example/keys?set=1' },
  ];
  assert.deepEqual(faultsIn({ assistants: [{ id: 'a', name: 'A', status: 'approved', recognised_by }] }), [
    'assistants[0] (a).recognised_by[0].signature_agent: is not an address',
    'assistants[0] (a).recognised_by[1].jwks_uri: is not an address',
    'assistants[0] (a).recognised_by[2].jwks_uri: must have neither query nor fragment, because no signature names them',
  ]);
});

test('what is not a registry at all is refused', () => {
  assert.equal(faultsIn(null).length, 1);
  assert.equal(faultsIn('everyone').length, 1);
  assert.equal(faultsIn({ assistants: {} }).length, 1);
  assert.equal(faultsIn({}).length, 1);
  assert.match(faultsIn({ assistants: [], assistant: [] })[0] ?? '', /^the registry\.assistant: /);
});

test('a registry may approve nobody', () => {
  assert.deepEqual(accepted({ assistants: [] }).assistants, []);
});

test('nobody is approved who is neither listed nor on a trusted network', () => {
  const listed = accepted({
    assistants: [{ id: 'a', name: 'A', status: 'approved', recognised_by: [{ network: ['192.0.2.1'] }] }],
  });
  const approves = (registry: AssistantRegistry, id: string, text: string) =>
    registry.assistants.some(
      (assistant) =>
        assistant.id === id &&
        assistant.recognisedBy.some((way) => way.kind === 'network' && isAmong(way.networks, address(text))),
    );
  assert.deepEqual(registryFor(null, null), { assistants: [] });
  assert.ok(approves(registryFor(null, ['10.0.0.0/8']), 'local', '10.0.0.1'));
  assert.ok(!approves(registryFor(null, ['10.0.0.0/8']), 'local', '127.0.0.1'));
  assert.ok(!approves(registryFor(listed, null), 'local', '127.0.0.1'));
  assert.ok(approves(registryFor(listed, ['10.0.0.0/8']), 'local', '10.0.0.1'));
  assert.ok(approves(registryFor(listed, ['10.0.0.0/8']), 'a', '192.0.2.1'));
});

test('the example in the documentation is a registry, and its list of ranges is found beside it', () => {
  const folder = fileURLToPath(new URL('../../../docs/examples/', import.meta.url));
  const text = readFileSync(`${folder}assistants.json`, 'utf8');
  const reading = readAssistantRegistry(text, { folder, catalogue: CATALOGUE });
  assert.equal(reading.kind, 'valid', inspect(reading));
  const kinds = reading.value.assistants.flatMap(({ recognisedBy }) => recognisedBy.map(({ kind }) => kind));
  assert.deepEqual(
    new Set(kinds),
    new Set(['signature', 'ranges', 'published_ranges', 'reverse_dns', 'network']),
  );
});

test('a text that is not JSON is a fault, and one with comments is not', () => {
  const reading = { folder: null, catalogue: [] };
  const notJson = readAssistantRegistry('approve everyone', reading);
  assert.equal(notJson.kind, 'invalid');
  assert.match(notJson.faults.join(), /^is not valid JSON/);
  assert.equal(readAssistantRegistry('{ "assistants": [], } // nobody', reading).kind, 'valid');
});

test('a member that is there twice is a fault, because commands and services could each go by another', () => {
  for (const text of [
    '{"assistants": [{"id": "chatgpt", "status": "approved", "status": "approved"}]}',
    '{"assistants": [], "assistants": [{"id": "chatgpt", "status": "approved"}]}',
  ]) {
    const reading = readAssistantRegistry(text, { folder: null, catalogue: CATALOGUE });
    assert.ok(reading.kind === 'invalid', text);
    assert.match(reading.faults.join(), /^has the member "(status|assistants)" twice in one object/);
  }
});

test('a registry that is in no folder names no file beside it', () => {
  const text = (path: string) =>
    JSON.stringify({
      assistants: [
        {
          id: 'a',
          name: 'A',
          status: 'approved',
          recognised_by: [{ user_agent: 'A-User', ranges_file: path }],
        },
      ],
    });
  const reading = { folder: null, catalogue: [] };
  const relative = readAssistantRegistry(text('chatgpt-user.json'), reading);
  assert.equal(relative.kind, 'invalid');
  assert.match(relative.faults.join(), /chatgpt-user\.json must be an absolute path/);
  const path = fileURLToPath(new URL('../../../docs/examples/chatgpt-user.json', import.meta.url));
  assert.equal(readAssistantRegistry(text(path), reading).kind, 'valid');
});

test('the documentation shows that example, word for word', () => {
  const docs = new URL('../../../docs/', import.meta.url);
  const [, shown = ''] =
    /```json\n([\s\S]*?)```/.exec(readFileSync(new URL('assistant-registry.md', docs), 'utf8')) ?? [];
  assert.equal(shown, readFileSync(new URL('examples/assistants.json', docs), 'utf8'));
});
