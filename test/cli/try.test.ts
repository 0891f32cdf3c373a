import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { registryFor } from '../../src/access/registry/assistant-registry.ts';
import { fetchFrom } from '../client/client-stage.ts';
import { createCommandStage } from '../support/command-stage.ts';
import { property } from '../support/network.ts';
import { ACME, priced, setScene } from '../support/scene.ts';
import { createScriptedTerminal, GIVE_UP } from '../support/scripted-terminal.ts';

const STAY = [
  ...['--destination', 'Lisbon', '--check-in', '2027-04-10'],
  ...['--check-out', '2027-04-13', '--guests', '2'],
];
const BRANDS = {
  acme: ACME,
  blue: {
    properties: [property('d', { name: 'Casa \u001b[2J Azul', amenities: { pool: 'Pool', lift: 'Lift' } })],
  },
};

/** `staywire try` on a service in this process. */
async function setUp(t: TestContext, scene: Parameters<typeof setScene>[1] = {}) {
  const set = await setScene(t, { brands: BRANDS, ...scene });
  for (const operator of Object.values(set.operators)) {
    operator.quote = priced({ a: '300.00', b: '420.50', d: '360.00' });
  }
  const stage = createCommandStage(t);
  const tools = { sendHttp: fetchFrom(set.service) };
  return {
    ...set,
    run: (words: readonly string[], answers?: NonNullable<Parameters<typeof stage.run>[1]>['answers']) =>
      stage.run(['try', ...words], { ...(answers ? { answers } : {}), tools }),
  };
}

describe('staywire try without a person', () => {
  it('prints the comparison when the options answer every field, and the answer itself with --json', async (t) => {
    const { run } = await setUp(t);
    const { code, output, notes } = await run(STAY);
    assert.equal(code, 0, notes);
    assert.match(
      output,
      /^lisbon-pt · 2027-04-10 to 2027-04-13 · 3 nights · 2 guests\n3 homes, cheapest first\./,
    );
    assert.match(
      output,
      /^1\. EUR 300\.00 {2}“House a”, Brand acme\n {3}4\.5\/5 .* sleeps 4.* free\s+cancellation\s+until\s+2027-04-03T18:00/m,
    );
    const narrowed = await run([...STAY, '--amenity', 'pool', '--amenity', 'wifi', '--json'], []);
    const answer = JSON.parse(narrowed.output);
    assert.deepEqual([narrowed.code, answer.object], [0, 'search_result']);
    assert.deepEqual(answer.applied_filters.amenities, ['pool', 'wifi']);
    assert.deepEqual(
      answer.results.map(({ name }: { name: string }) => name),
      ['House b'],
    );
  });

  it('ends with 2 and what is missing or refused: as text, and as data with --json', async (t) => {
    const { run } = await setUp(t);
    for (const [words, fault, next, question] of [
      [
        STAY.slice(0, 6),
        /^--guests is not given\. Every person counts/,
        /^give --guests one of 1, 2, 3, 4$/,
        { field: 'guests', option: '--guests', allowed_values: ['1', '2', '3', '4'], total: 4 },
      ],
      [
        STAY.slice(0, 2),
        /^--check-in is not given\.$/,
        /^give --check-in a day, or first a month out of 2027-03, 2027-04/,
        { field: 'check_in_month', option: '--check-in', total: 7 },
      ],
      [
        [...STAY.slice(0, 2), '--check-in', '2027-03'],
        /^--check-in is not given\.$/,
        /^give --check-in one of 2027-03-01, 2027-03-02, .* 2027-03-31$/,
        { field: 'check_in_day', option: '--check-in', total: 31 },
      ],
      [
        [...STAY.slice(0, 6), '--guests', '9'],
        /^--guests: No home that fits .* 4 is the most\. Nearest: 4, 3, 2, 1\.$/,
        /^give --guests one of 1, 2, 3, 4$/,
        { field: 'guests' },
      ],
      [
        [...STAY, '--amenity', 'quark'],
        /^--amenity: No match publishes an amenity of that name\./,
        /^$/,
        undefined,
      ],
      [
        ['--source', 'acme', ...STAY],
        /^--brand-locked/,
        /^give --brand-locked one of true, false$/,
        { field: 'brand_locked', allowed_values: ['true', 'false'] },
      ],
    ] as const) {
      const text = await run(words);
      assert.deepEqual([text.code, text.output], [2, ''], words.join(' '));
      const { error } = JSON.parse((await run([...words, '--json'], [])).output);
      assert.match(error.faults[0], fault);
      assert.match(error.next ?? '', next);
      if (question) assert.partialDeepStrictEqual(error.question, question);
      assert.ok(text.notes.replaceAll(/\s+/g, ' ').includes(error.faults[0]), text.notes);
    }
  });

  it('asks nothing where a person would not see what is printed', async (t) => {
    const { service } = await setScene(t);
    const terminal = { ...createScriptedTerminal([]), isSeen: false };
    const tools = { terminal, sendHttp: fetchFrom(service) };
    assert.equal((await createCommandStage(t).run(['try'], { tools })).code, 2);
    assert.deepEqual(terminal.questions, []);
  });

  it('says why a service cannot be used, and what to do', async (t) => {
    const stage = createCommandStage(t);
    const denied = await setUp(t, { registry: registryFor(null, ['10.0.0.0/8']) });
    const sending = (sendHttp: () => Promise<Response>) => stage.run(['try'], { tools: { sendHttp } });
    for (const [{ code, notes }, said] of [
      [
        await sending(() => Promise.reject(new TypeError('fetch failed'))),
        /✖ Nothing answers at http:\/\/127\.0\.0\.1:8080\.\n→ start the demo with npm start/,
      ],
      [await sending(async () => new Response('<html>')), /What answers at .* is not Staywire/],
      [await denied.run(STAY), /does not let this machine in\.\n→ [\s\S]*STAYWIRE_TRUSTED_NETWORKS/],
      [await denied.run(['--url', 'ftp://x']), /--url ftp:\/\/x is not the address of a service/],
    ] as const) {
      assert.equal(code, 2);
      assert.match(notes, said);
    }
    const { run, operators } = await setUp(t);
    const unknown = await run(['--source', 'nobody', '--json'], []);
    assert.equal(unknown.code, 2);
    assert.deepEqual(JSON.parse(unknown.output).error.sources, ['acme', 'blue']);
    for (const operator of Object.values(operators)) {
      operator.misbehave = (path, response) => path === '/quotes' && Boolean(response.writeHead(500).end());
    }
    const silent = await run([...STAY, '--json'], []);
    assert.deepEqual([silent.code, JSON.parse(silent.output).error.code], [1, 'upstream_unavailable']);
  });
});

describe('staywire try with a person', () => {
  it('asks for each field among what is on offer, by the names of places', async (t) => {
    const { run } = await setUp(t);
    const { code, output, notes, terminal } = await run(
      [],
      [
        ['Where to?', 'lisbon-pt'],
        ['Month of arrival', '2027-04'],
        ['Day of arrival', '2027-04-10'],
        ['Day of departure', '2027-04-13'],
        ['How many people?', '2'],
        ['What next?', 'quit'],
      ],
    );
    assert.equal(code, 0, notes);
    assert.equal(terminal.questions.length, 6);
    assert.deepEqual(
      terminal.questions[0]?.choices?.map(({ label }) => label),
      ['Portugal', 'Lisbon', 'Porto'],
    );
    assert.match(
      output,
      /The same again:\n {2}staywire try --destination lisbon-pt --check-in 2027-04-10 \\\n {4}--check-out 2027-04-13 --guests 2$/,
    );
  });

  it('asks only for what the options leave open, and says what was refused', async (t) => {
    const { run } = await setUp(t, { brands: { acme: { properties: [property('a', { max_guests: 8 })] } } });
    const { code, notes, output } = await run(
      ['--url', 'http://127.0.0.1:9999', ...STAY.slice(0, 6), '--guests', '9', '--amenity', 'moat'],
      [
        ['How many people?', '4'],
        ['What next?', 'quit'],
      ],
    );
    assert.equal(code, 0);
    const said = notes.replaceAll(/\s+/g, ' ');
    assert.match(said, /! --guests: No home that fits .* 8 is the most\. Nearest: 8, 7, 6, 5, 4\./);
    assert.match(said, /! --amenity: No match publishes/);
    assert.match(output, /staywire try --url http:\/\/127\.0\.0\.1:9999 --destination lisbon-pt/);
  });

  it('narrows, takes filters off, changes the stay and shows a home in full', async (t) => {
    const { run } = await setUp(t);
    const { code, output, notes, terminal } = await run(
      ['--source', 'acme', ...STAY],
      [
        ['Which homes?', 'true'],
        ['What next?', 'change'],
        ['Change what?', 'brand_locked'],
        ['Which homes?', 'false'],
        ['What next?', 'narrow'],
        ['Only homes with', 'pool'],
        ['What next?', 'show'],
        ['Which home?', '2'],
        ['What next?', 'clear'],
        ['What next?', 'change'],
        ['Change what?', 'check_in_day'],
        ['Month of arrival', '2027-05'],
        ['Day of arrival', '2027-05-01'],
        ['Day of departure', '2027-05-03'],
        ['What next?', 'narrow'],
        ['Only homes with', 'lift'],
        ['What next?', 'quit'],
      ],
    );
    assert.equal(code, 0, notes);
    const labels = terminal.questions.find(({ message }) => message === 'Only homes with')?.choices ?? [];
    assert.ok(labels.some(({ label }) => label === 'pool · 2 of 3'));
    assert.match(output, /2 homes, cheapest first\. .*Only with: pool\./);
    assert.match(output, /^2\. EUR 420\.50 {2}“House b”, Brand acme\nTotal 420\.50 EUR for 3 nights/m);
    assert.match(output, /^Book here:\s+https:\/\/stay\.example\/b\?/m);
    assert.match(output, /2027-05-01 to 2027-05-03 · 2 nights · 2 guests/);
    assert.match(output, /staywire try --source acme --brand-locked false [\s\S]*--amenity lift$/);
    assert.ok(!output.includes('\u001b'));
    assert.doesNotMatch(notes, /^!/m, 'nothing that was asked for is refused');
  });

  it('ends cleanly at Ctrl-C, at whichever question', async (t) => {
    const { run } = await setUp(t);
    const { code, output, notes } = await run([], [['Where to?', GIVE_UP]]);
    assert.deepEqual([code, output], [130, '']);
    assert.match(notes, /Interrupted; nothing is left half done\.$/);
    assert.equal((await run(STAY, [['What next?', GIVE_UP]])).code, 130);
  });
});
