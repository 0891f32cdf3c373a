import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { entriesIn } from '../../src/access/registry/change-registry.ts';
import type { WellKnownAssistant } from '../../src/access/registry/registry-file.ts';
import { openRegisteredAssistants } from '../../src/app/configuration.ts';
import type { CallerJudgement, CallerQuestion, CliTools } from '../../src/cli/command.ts';
import { createCommandStage } from '../support/command-stage.ts';
import { brandEntry, networkFile } from '../support/network.ts';
import { temporaryDatabase } from '../support/temporary-database.ts';

const CATALOGUE: readonly WellKnownAssistant[] = [
  {
    id: 'chatgpt',
    name: 'ChatGPT',
    about:
      'Fetches pages for people who ask ChatGPT, as OpenAI describes at https://platform.openai.com/docs/bots.',
    recognisedBy: [
      { signature_agent: 'https://chatgpt.com' },
      { user_agent: 'ChatGPT-User', ranges_url: 'https://openai.com/chatgpt-user.json' },
    ],
  },
  {
    id: 'claude',
    name: 'Claude',
    about: 'Fetches pages for people who ask Claude.',
    recognisedBy: [{ user_agent: 'Claude-User', ranges: ['160.79.104.0/21'] }],
  },
];

type Place = {
  readonly env: Readonly<Record<string, string>>;
  readonly text: () => Promise<string | null>;
  readonly write: (text: string) => Promise<void>;
  readonly secrets: readonly string[];
};

/** The registry in each place where it can be. */
const PLACES: Readonly<Record<string, (t: TestContext, directory: string) => Promise<Place | undefined>>> = {
  'in the folder of the data': async (_, directory) => inFile(directory, join('data', 'assistants.json'), {}),
  'in a file that is named': async (_, directory) =>
    inFile(directory, 'ours.jsonc', { STAYWIRE_ASSISTANTS: 'ours.jsonc' }),
  'in PostgreSQL': async (t) => {
    const database = await temporaryDatabase(t);
    if (!database) return undefined;
    const env = {
      STAYWIRE_DATA_DIR: 'data',
      STAYWIRE_POSTGRES_URL: database.url,
      STAYWIRE_REDIS_URL: 'redis://127.0.0.1:1',
    };
    const opened = openRegisteredAssistants(env, { catalogue: CATALOGUE });
    assert.equal(opened.kind, 'valid');
    const { source } = opened.value;
    t.after(() => source.close());
    return {
      env,
      text: async () => (await source.read())?.text ?? null,
      async write(text) {
        const before = await source.read();
        assert.equal(await source.replace(before?.version ?? null, text), 'replaced');
      },
      secrets: [database.password],
    };
  },
};

function inFile(directory: string, name: string, env: Record<string, string>): Place {
  const path = join(directory, name);
  return {
    env: { STAYWIRE_DATA_DIR: 'data', ...env },
    text: async () => (existsSync(path) ? readFileSync(path, 'utf8') : null),
    async write(text) {
      mkdirSync(join(directory, 'data'), { recursive: true });
      writeFileSync(path, text);
    },
    secrets: [],
  };
}

async function setUp(t: TestContext, open: (typeof PLACES)[string]) {
  const stage = createCommandStage(t);
  const place = await open(t, stage.directory);
  if (!place) return undefined;
  const run = async (words: readonly string[], tools: Partial<CliTools> = {}, input = '') => {
    const ran = await stage.run(['assistants', ...words], {
      env: place.env,
      input,
      tools: { openRegistry: (env) => openRegisteredAssistants(env, { catalogue: CATALOGUE }), ...tools },
    });
    for (const secret of place.secrets) assert.ok(!`${ran.output}${ran.notes}`.includes(secret));
    for (const line of words.includes('--json') ? [] : ran.output.split('\n')) {
      assert.ok(line.length <= 80 || /https:|\//.test(line), `too wide: ${line}`);
    }
    return ran;
  };
  const data = async (words: readonly string[]) => {
    const { code, output } = await run([...words, '--json']);
    return { code, json: JSON.parse(output) };
  };
  const entries = async () => entriesIn(await place.text());
  const refused = async (words: readonly string[], fault: RegExp) => {
    const before = await place.text();
    const { code, notes } = await run(words);
    assert.equal(code, 2, notes);
    assert.match(notes.replace(/\s+/g, ' '), fault);
    assert.equal(await place.text(), before);
  };
  return { stage, place, run, data, entries, refused };
}

for (const [where, open] of Object.entries(PLACES)) {
  describe(`staywire assistants, with a registry ${where}`, () => {
    it('approves one that is known, suspends it and approves it again', async (t) => {
      const set = await setUp(t, open);
      if (!set) return;
      const { run, data, entries } = set;
      const approved = await run(['approve', 'chatgpt', '--note', 'As agreed.']);
      assert.equal(approved.code, 0, approved.notes);
      assert.match(
        approved.output,
        /^Approved chatgpt\.\nKnown by a signature by a key of https:\/\/chatgpt\.com\n/,
      );
      assert.match(
        approved.output.replace(/\s+/g, ' '),
        /Written to \S+ .*goes by it within 3 seconds, without a restart\./,
      );
      const [first] = await entries();
      // What is left out comes with the software, and with its updates.
      assert.deepEqual(Object.keys(first ?? {}), ['id', 'status', 'history']);
      assert.match(first?.history?.[0]?.at ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);

      assert.match((await run(['approve', 'chatgpt'])).output, /approved already/);
      const suspended = await run(['suspend', 'chatgpt', '--note', 'Too many requests.']);
      assert.match(suspended.output, /^Suspended chatgpt\.\nWritten to /);
      assert.equal((await entries())[0]?.status, 'suspended');
      assert.match((await run(['suspend', 'chatgpt'])).output, /suspended already/);

      const again = await data(['approve', 'chatgpt']);
      assert.equal(again.code, 0);
      const { registry, warnings, ...rest } = again.json;
      assert.ok(typeof registry === 'string');
      assert.ok(warnings.length > 0);
      assert.deepEqual(rest, {
        id: 'chatgpt',
        status: 'approved',
        changed: true,
        in_force_within_seconds: 3,
      });
      assert.deepEqual(
        (await entries())[0]?.history?.map(({ change, note }) => [change, note]),
        [
          ['added', 'As agreed.'],
          ['suspended', 'Too many requests.'],
          ['approved', undefined],
        ],
      );
    });

    it('adds one that nobody knows by how it is recognised', async (t) => {
      const set = await setUp(t, open);
      if (!set) return;
      const { run, entries, refused } = set;
      const guide = ['approve', 'guide', '--name', 'Guide', '--user-agent', 'Guide-User'];
      const { code, notes } = await run([
        ...guide,
        '--ranges',
        '192.0.2.0/24,2001:db8::/32',
        '--signature-agent',
        'https://guide.example',
      ]);
      assert.equal(code, 0, notes);
      assert.deepEqual((await entries())[0]?.recognised_by, [
        { signature_agent: 'https://guide.example' },
        { user_agent: 'Guide-User', ranges: ['192.0.2.0/24', '2001:db8::/32'] },
      ]);
      await refused(
        ['approve', 'guide', '--network', '10.0.0.0/8'],
        /guide is registered already, and approve does not change how it is recognised; nothing was done/,
      );
      await refused(
        ['approve', 'guide', '--name', 'Other'],
        /guide is registered already, and approve does not change its name; nothing was done\. → to approve it as it is, give its id alone/,
      );
    });

    it('writes nothing that is wrong, or that would let in more than one assistant', async (t) => {
      const set = await setUp(t, open);
      if (!set) return;
      const { refused, run, entries } = set;
      const guide = ['approve', 'guide', '--name', 'Guide'];
      await refused(
        [...guide, '--network', '0.0.0.0/0'],
        /0\.0\.0\.0\/0 is every address there is\. .*--force/,
      );
      await refused([...guide, '--network', '127.0.0.0/8'], /this machine itself/);
      await refused([...guide, '--user-agent', 'Guide-User'], /A User-Agent alone proves nothing/);
      await refused([...guide, '--signature-agent', 'http://guide.example'], /signature_agent/);
      await refused(
        ['approve', 'guide'],
        /guide is neither registered nor known\. → give --name and how it is recognised.*known are chatgpt, claude/,
      );
      await refused(guide, /guide is neither registered nor known\. → give how it is recognised, such as/);
      await refused(
        ['approve', 'guide', '--network', '10.20.0.0/16'],
        /guide is neither registered nor known\. → give --name; known are/,
      );
      await refused(['approve', 'Guide!'], /made of a-z, 0-9 and -/);
      await refused(['approve', 'local'], /local stands for the callers of STAYWIRE_TRUSTED_NETWORKS/);
      await refused(['approve', 'chatgpt', '--note', 'two\nlines'], /--note is empty, longer/);
      await refused(
        ['suspend', 'chatgpt'],
        /There is no registry in .* goes on answering those whom it listed/,
      );
      await refused(['suspend', 'local'], /STAYWIRE_TRUSTED_NETWORKS/);
      const forced = await run([...guide, '--network', '0.0.0.0/0', '--force']);
      assert.equal(forced.code, 0, forced.notes);
      assert.match(forced.output, /guide is the only one in it/);
      assert.deepEqual((await entries())[0]?.recognised_by, [{ network: ['0.0.0.0/0'] }]);
      await refused(['suspend', 'chatgpt'], /chatgpt is not in the registry .* refused already/);
    });

    it('keeps what the owner wrote, and refuses to change what has faults', async (t) => {
      const set = await setUp(t, open);
      if (!set) return;
      const { stage, place, run, refused } = set;
      await place.write(
        '{ // ours\n  "assistants": [\n    { "id": "claude", "status": "approved" }, // since spring\n  ]\n}\n',
      );
      assert.equal((await run(['suspend', 'claude'])).code, 0);
      const text = (await place.text()) ?? '';
      assert.ok(text.startsWith('{ // ours\n') && text.includes('// since spring'), text);
      await place.write('{ "assistants": [{ "id": "stranger", "status": "approved" }] }');
      await refused(['approve', 'chatgpt'], /name and recognised_by must be given.* mend the registry/);
      await refused(['list'], /name and recognised_by must be given/);
      const twice = '{ "assistants": [{ "id": "claude", "status": "approved", "status": "approved" }] }';
      await place.write(twice);
      await refused(['suspend', 'claude'], /has the member "status" twice in one object/);
      writeFileSync(join(stage.directory, 'twice.json'), twice);
      await refused(['store', 'twice.json'], /twice\.json: has the member "status" twice/);
    });

    it('lists who is registered with all that is known, and who could be', async (t) => {
      const set = await setUp(t, open);
      if (!set) return;
      const { place, run, data } = set;
      const nobody = await run(['list']);
      assert.match(
        nobody.output,
        /^There is no registry in .* yet\.\n\nKnown, and not registered:\n {2}ChatGPT\. /,
      );
      await place.write(
        JSON.stringify({
          assistants: [
            {
              id: 'chatgpt',
              status: 'suspended',
              limits: { requests: 6000, searches: 1 },
              history: [{ at: '2026-11-17T04:30:00Z', change: 'suspended', note: 'Too many requests.' }],
            },
          ],
        }),
      );
      const { code, output } = await run(['list']);
      assert.equal(code, 0);
      for (const expected of [
        /^chatgpt {2}suspended {2}ChatGPT$/m,
        /^ {2}known by {5}a signature by a key of https:\/\/chatgpt\.com \(never fetched\)$/m,
        /^ {2}or by +User-Agent ChatGPT-User, from the networks published at$/m,
        /^ {2}limits +6000 requests in a window, 1 search at a time$/m,
        /^ {2}last change {2}suspended 2026-11-17T04:30:00Z: Too many requests\.$/m,
        /^ {2}→ staywire assistants approve claude$/m,
      ]) {
        assert.match(output, expected);
      }
      const { json } = await data(['list']);
      assert.equal(json.assistants[0].recognised_by.length, 2);
      assert.deepEqual(
        json.known.map(({ id, approve }: Record<string, string>) => [id, approve]),
        [['claude', 'staywire assistants approve claude']],
      );
    });

    it('shows the whole registry and stores it again, and never undoes what was done meanwhile', async (t) => {
      const set = await setUp(t, open);
      if (!set) return;
      const { stage, run, entries, refused, place } = set;
      await refused(['show'], /There is no registry in .* yet/);
      for (const id of ['chatgpt', 'claude']) assert.equal((await run(['approve', id])).code, 0);
      const shown = await run(['show']);
      assert.equal(shown.output, (await place.text())?.trimEnd());
      const write = (text: string) => writeFileSync(join(stage.directory, 'new.jsonc'), text);
      write(shown.output.replace('"id": "claude"', '"id": "claude", "limits": { "sessions": 5 } // fewer\n'));
      assert.equal((await run(['suspend', 'claude'])).code, 0);
      await refused(['store', 'new.jsonc'], /claude was suspended at \S+, and the file does not know of it/);
      assert.equal((await run(['approve', 'claude'])).code, 0);
      const latest = (await run(['show'])).output;
      write(latest.replace('"id": "claude"', '"id": "claude", "limits": { "sessions": 5 } // fewer\n'));
      const stored = await run(['store', 'new.jsonc', '--note', 'It asks for less.']);
      assert.equal(stored.code, 0, stored.notes);
      assert.match(stored.output, /^Stored the registry of 2 assistants\.\nWritten to /);
      assert.match((await place.text()) ?? '', /\/\/ fewer/);
      const [chatgpt, claude] = await entries();
      assert.equal(chatgpt?.history?.length, 1);
      assert.deepEqual(claude?.limits, { sessions: 5 });
      assert.deepEqual(
        claude?.history?.map(({ change }) => change),
        ['added', 'suspended', 'approved', 'changed'],
      );
      write('{ "assistants": [{ "id": "nobody-knows" }] }');
      await refused(['store', 'new.jsonc'], /✖ new\.jsonc: assistants\[0\].*status.* → mend new\.jsonc/);
      write('{ "assistants": [{ "id": "claude", "status": "suspended" }] }');
      const alone = await run(['store', 'new.jsonc', '--force']);
      assert.equal(alone.code, 0);
      assert.match(alone.output.replace(/\s+/g, ' '), /! The registry .* approves nobody: only callers/);
      assert.deepEqual(
        (await entries()).map(({ id, history }) => [id, history?.map(({ change }) => change)]),
        [['claude', ['suspended']]],
      );
    });

    it('sets limits and takes them away, and leaves the others', async (t) => {
      const set = await setUp(t, open);
      if (!set) return;
      const { run, data, entries, refused } = set;
      await run(['approve', 'claude']);
      const limited = await run(['limit', 'claude', '--requests', '6000', '--searches', '1']);
      assert.equal(limited.code, 0, limited.notes);
      assert.match(
        limited.output,
        /^Limits of claude: 6000 requests in a window, 1 search at a time\.\nWritten to /,
      );
      const other = ['limit', 'claude', '--requests', 'none', '--sessions', '50', '--megabytes', '10'];
      const { registry, ...changed } = (await data([...other, '--note', 'As agreed.'])).json;
      assert.ok(typeof registry === 'string');
      const limits = { searches: 1, sessions: 50, megabytes: 10 };
      assert.deepEqual(changed, { id: 'claude', limits, changed: true, in_force_within_seconds: 3 });
      const [claude] = await entries();
      assert.deepEqual(claude?.limits, limits);
      assert.deepEqual(
        claude?.history?.map(({ change, note }) => [change, note]),
        [
          ['added', undefined],
          ['changed', undefined],
          ['changed', 'As agreed.'],
        ],
      );
      assert.match((await run(other)).output, /has these limits already/);
      for (const limit of Object.keys(limits)) await run(['limit', 'claude', `--${limit}`, 'none']);
      assert.equal((await entries())[0]?.limits, undefined);
      await refused(['limit', 'claude'], /Nothing says which limit\. → give one or more of --requests/);
      for (const wrong of ['0', '1.5', '-3', 'many', '']) {
        await refused(
          ['limit', 'claude', `--sessions=${wrong}`],
          /--sessions is neither a whole number from 1/,
        );
      }
      await refused(['limit', 'claude', '--searches', '100001'], /limits\.searches: must be <= 100000/);
      await refused(['limit', 'chatgpt', '--sessions', '5'], /chatgpt is not in the registry/);
      await refused(['limit', 'local', '--sessions', '5'], /STAYWIRE_TRUSTED_NETWORKS/);
    });

    it('forgets one that is registered, and no other', async (t) => {
      const set = await setUp(t, open);
      if (!set) return;
      const { run, data, entries, refused } = set;
      await refused(['remove', 'claude'], /There is no registry in/);
      for (const id of ['chatgpt', 'claude']) await run(['approve', id]);
      const removed = await run(['remove', 'claude']);
      assert.equal(removed.code, 0, removed.notes);
      assert.match(removed.output, /^Removed claude, with its limits and its history\.\nWritten to /);
      assert.deepEqual(
        (await entries()).map(({ id }) => id),
        ['chatgpt'],
      );
      await refused(['remove', 'claude'], /claude is not in the registry/);
      const { id } = (await data(['remove', 'chatgpt'])).json;
      assert.equal(id, 'chatgpt');
      assert.deepEqual(await entries(), []);
    });

    it('takes the changes of two commands at once', async (t) => {
      const set = await setUp(t, open);
      if (!set) return;
      const { run, entries } = set;
      const both = await Promise.all([run(['approve', 'chatgpt']), run(['approve', 'claude'])]);
      assert.deepEqual(
        both.map(({ code }) => code),
        [0, 0],
      );
      assert.deepEqual((await entries()).map(({ id }) => id).toSorted(), ['chatgpt', 'claude']);
    });
  });
}

describe('staywire assistants test', () => {
  const REQUEST = 'GET /ai/v1/auth HTTP/1.1\nHost: localhost\nUser-Agent: Claude-User/1.0\n';
  const open = PLACES['in the folder of the data'];
  assert.ok(open);

  it('judges a request by the registry as it is, with the gate of the service', async (t) => {
    const set = await setUp(t, open);
    assert.ok(set);
    const { stage, run, refused } = set;
    assert.equal((await run(['approve', 'claude'])).code, 0);
    writeFileSync(join(stage.directory, 'request.txt'), REQUEST);
    const from = (address: string) => run(['test', 'request.txt', '--from', address]);
    const inRanges = '\n\n✔ claude  ranges  Claude-User is in User-Agent; 160.79.104.1 is in its ranges';
    const answered = await from('160.79.104.1');
    assert.deepEqual(
      [answered.code, answered.output],
      [0, `Answered: it is claude, recognised by its ranges.${inRanges}`],
    );
    const stranger = await from('203.0.113.1');
    assert.deepEqual(
      [stranger.code, stranger.output],
      [
        1,
        'Refused: nobody who is registered is recognised by it.\n\n– claude  ranges  Claude-User is in User-Agent; 203.0.113.1 is not in its ranges',
      ],
    );
    assert.equal((await run(['suspend', 'claude'])).code, 0);
    const suspended = await from('160.79.104.1');
    assert.deepEqual(
      [suspended.code, suspended.output],
      [1, `Refused: the assistant is suspended (claude).${inRanges}`],
    );
    const unplaced = await run(['test', '-'], {}, REQUEST);
    assert.equal(unplaced.code, 1);
    assert.match(unplaced.output, /^Refused: it is not known from which address it comes\.\n/);
    await refused(['test', 'request.txt', '--from', 'somewhere'], /--from is no address/);
    await refused(['test', 'missing.txt', '--from', '203.0.113.1'], /ENOENT/);
  });

  it('shows each way that was tried, and why it was not the one', async (t) => {
    const set = await setUp(t, open);
    assert.ok(set);
    const { run } = set;
    const questions: CallerQuestion[] = [];
    const judgement: CallerJudgement = {
      decision: { kind: 'approved', assistant: 'claude', way: 'reverse_dns', address: '203.0.113.1' },
      tried: [
        { way: 'signature', assistant: 'chatgpt', outcome: 'not_recognised', why: 'It is not signed.' },
        {
          way: 'reverse_dns',
          assistant: 'claude',
          outcome: 'recognised',
          why: 'It is fetch-1.claude.example.',
        },
      ],
      signature: { kind: 'unverified', why: 'no_signature' },
      published: [],
    };
    const judgeCaller = async (question: CallerQuestion) => {
      questions.push(question);
      return judgement;
    };
    const { code, output } = await run(['test', '-', '--from', '203.0.113.1'], { judgeCaller }, REQUEST);
    assert.equal(code, 0);
    assert.equal(
      output,
      [
        'Answered: it is claude, recognised by its reverse dns.',
        '',
        '– chatgpt  signature    It is not signed.',
        '✔ claude   reverse_dns  It is fetch-1.claude.example.',
      ].join('\n'),
    );
    assert.deepEqual(questions[0]?.facts, {
      method: 'GET',
      target: '/ai/v1/auth',
      headers: { host: 'localhost', 'user-agent': 'Claude-User/1.0' },
      peerAddress: '203.0.113.1',
    });
    const json = await run(['test', '-', '--from', '203.0.113.1', '--json'], { judgeCaller }, REQUEST);
    const { decision, tried, published, advice } = JSON.parse(json.output);
    assert.deepEqual({ decision, tried, signature: judgement.signature, published }, judgement);
    assert.deepEqual(advice, []);
    const nonsense = await run(['test', '-'], {}, 'hello');
    assert.equal(nonsense.code, 2);
    assert.match(nonsense.notes, /The input does not begin with a line such as/);
  });
});

describe('staywire serve', () => {
  it('says how to approve the first assistant, and starts once one is approved', async (t) => {
    const set = await setUp(t, PLACES['in the folder of the data'] ?? assert.fail());
    assert.ok(set);
    const { stage, run } = set;
    const network = networkFile([brandEntry('acme', 'http://127.0.0.1:4000')]);
    writeFileSync(join(stage.directory, 'network.jsonc'), JSON.stringify(network));
    const served: unknown[] = [];
    const env = { STAYWIRE_DATA_DIR: 'data' };
    const serve = () => stage.run(['serve'], { env, tools: { serve: async (one) => void served.push(one) } });
    const refused = await serve();
    assert.equal(refused.code, 2);
    assert.match(
      refused.notes.replace(/\s+/g, ' '),
      /Nobody may call yet\. .*staywire assistants approve chatgpt/,
    );
    const words = ['approve', 'guide', '--name', 'Guide', '--signature-agent', 'https://guide.example'];
    assert.equal((await run(words)).code, 0);
    const started = await serve();
    assert.deepEqual([started.code, served.length], [0, 1], started.notes);
    writeFileSync(join(stage.directory, 'data', 'assistants.json'), '{');
    const faulty = await serve();
    assert.equal(faulty.code, 2);
    assert.match(
      faulty.notes.replace(/\s+/g, ' '),
      /assistants\.json: is not valid JSON.* → mend the network file, the registry/,
    );
  });
});
