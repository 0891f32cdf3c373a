import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { registryFor } from '../../src/access/registry/assistant-registry.ts';
import { fetchFrom } from '../client/client-stage.ts';
import { createCommandStage } from '../support/command-stage.ts';
import { property } from '../support/network.ts';
import { ACME, priced, setScene } from '../support/scene.ts';
import { createScriptedTerminal, ESCAPE, GIVE_UP } from '../support/scripted-terminal.ts';

const STAY = [
  '--destination',
  'Lisbon',
  '--check-in',
  '2027-04-10',
  '--check-out',
  '2027-04-13',
  '--guests',
  '2',
];
const BRANDS = {
  acme: ACME,
  blue: {
    properties: [property('d', { name: 'Casa \u001b[2J Azul', amenities: { pool: 'Pool', lift: 'Lift' } })],
  },
};

/** Every home of acme with a pool has a terrace too. */
const TERRACES = {
  acme: {
    properties: [
      property('a', { amenities: { wifi: 'Wi-Fi' } }),
      property('b', { amenities: { pool: 'Pool', terrace: 'Terrace' } }),
      property('d', { amenities: { pool: 'Pool', terrace: 'Terrace', lift: 'Lift' } }),
    ],
  },
  blue: { properties: [property('e', { amenities: { pool: 'Pool' } })] },
};

function failQuotes(path: string, response: { writeHead(status: number): { end(): unknown } }): boolean {
  if (path !== '/quotes') return false;
  response.writeHead(500).end();
  return true;
}

/** `staywire try` on a service in this process. */
async function setUp(
  t: TestContext,
  { hasBrowser = true, ...scene }: Parameters<typeof setScene>[1] & { readonly hasBrowser?: boolean } = {},
) {
  const set = await setScene(t, { brands: BRANDS, ...scene });
  for (const operator of Object.values(set.operators)) {
    operator.quote = priced({ a: '300.00', b: '420.50', d: '360.00' });
  }
  const stage = createCommandStage(t);
  const opened: string[] = [];
  const tools = {
    sendHttp: fetchFrom(set.service),
    showPage: async (address: string) => opened.push(address) > 0 && hasBrowser,
  };
  return {
    ...set,
    opened,
    run: (words: readonly string[], answers?: NonNullable<Parameters<typeof stage.run>[1]>['answers']) =>
      stage.run(['try', ...words], { ...(answers ? { answers } : {}), tools }),
  };
}

describe('staywire try without a person', () => {
  it('prints the comparison when the options answer every field', async (t) => {
    const { run } = await setUp(t);
    const { code, output, notes } = await run(STAY);
    assert.equal(code, 0, notes);
    assert.match(
      output,
      /^Lisbon · Sat 10 Apr 2027 to Tue 13 Apr 2027 · 3 nights · 2 guests\n3 homes, cheapest first\./,
    );
    assert.match(
      output,
      /^1 {2}House a +EUR 300\.00 +100\.00 +4 {2}4\.5 of 5\n {3}Brand acme · free cancellation until 3 Apr 2027, 18:00$/m,
    );
    assert.match(output, /^2 {2}.*Azul +EUR 360\.00/m);
    assert.match(notes, /^Asked 2 brands in /);
  });

  it('counts the brands whose prices were asked for, not those of the network', async (t) => {
    const { run } = await setUp(t);
    assert.match(
      (await run([...STAY, '--amenity', 'lift'])).notes,
      /^Asked 2 brands in .*\nAsked 1 brand in /,
    );
    const refused = await run([...STAY.slice(0, 6), '--guests', '9']);
    assert.match(refused.notes, /^Asked the service in /);
  });

  it('calls the place by its name, however it is given and whichever way it is entered', async (t) => {
    const { run } = await setUp(t);
    for (const words of [
      ['--destination', 'lisbon-pt', ...STAY.slice(2)],
      ['--source', 'acme', '--brand-locked', 'true', ...STAY],
    ]) {
      assert.match((await run(words)).output, /^Lisbon · /);
    }
  });

  it('takes one request more for that name, and none where nobody reads it', async (t) => {
    const { service } = await setScene(t, { brands: BRANDS });
    const stage = createCommandStage(t);
    const send = fetchFrom(service);
    for (const [words, expected] of [
      [[], 4],
      [['--json'], 3],
    ] as const) {
      let calls = 0;
      const sendHttp: typeof send = (url, init) => {
        calls += 1;
        return send(url, init);
      };
      await stage.run(['try', ...STAY, ...words], { tools: { sendHttp } });
      assert.equal(calls, expected);
    }
  });

  it('prints the answer of the service, and nothing else, with --json', async (t) => {
    const { run } = await setUp(t);
    const { code, output } = await run([...STAY, '--amenity', 'pool', '--amenity', 'wifi', '--json'], []);
    assert.equal(code, 0);
    const answer = JSON.parse(output);
    assert.equal(answer.object, 'search_result');
    assert.deepEqual(answer.applied_filters.amenities, ['pool', 'wifi']);
    assert.deepEqual(
      answer.results.map(({ name }: { name: string }) => name),
      ['House b'],
    );
  });

  for (const [what, words, fault, next, question] of [
    [
      'a field that is missing',
      STAY.slice(0, 6),
      '--guests is not given. Every person counts, children and infants too.',
      'give --guests one of 1, 2, 3, 4',
      { field: 'guests', option: '--guests', allowed_values: ['1', '2', '3', '4'], total: 4 },
    ],
    [
      'the day of arrival, by its months',
      STAY.slice(0, 2),
      '--check-in is not given.',
      'give --check-in a day, or first a month, to be told its days, out of 2027-03, 2027-04, 2027-05, 2027-06, 2027-07, 2027-08, 2027-09',
      { field: 'check_in_month', option: '--check-in', total: 7 },
    ],
    [
      'the day of arrival, by the days of a month',
      [...STAY.slice(0, 2), '--check-in', '2027-03'],
      '--check-in is not given.',
      /^give --check-in one of 2027-03-01, 2027-03-02, .* 2027-03-31$/,
      { field: 'check_in_day', option: '--check-in', total: 31 },
    ],
    [
      'a value that is refused',
      [...STAY.slice(0, 6), '--guests', '9'],
      '--guests: No home that fits the other answers sleeps so many; 4 is the most. Nearest: 4, 3, 2, 1.',
      'give --guests one of 1, 2, 3, 4',
      { field: 'guests', suggestions: ['4', '3', '2', '1'] },
    ],
    [
      'an amenity that is refused',
      [...STAY, '--amenity', 'quark'],
      '--amenity: No match publishes an amenity of that name.',
      /^give --amenity one of (?:wifi|pool|lift)/,
      { field: 'amenities', option: '--amenity' },
    ],
    [
      'the scope of a brand',
      ['--source', 'acme', ...STAY],
      /^--brand-locked/,
      'give --brand-locked one of true, false',
      { field: 'brand_locked', allowed_values: ['true', 'false'] },
    ],
  ] as const) {
    it(`ends with 2 and ${what}: as text, and as data with --json`, async (t) => {
      const { run } = await setUp(t);
      const text = await run(words);
      assert.deepEqual([text.code, text.output], [2, '']);
      const json = await run([...words, '--json'], []);
      assert.equal(json.code, 2);
      const { error } = JSON.parse(json.output);
      if (typeof fault === 'string') assert.equal(error.faults[0], fault);
      else assert.match(error.faults[0], fault);
      if (typeof next === 'string') assert.equal(error.next, next);
      else assert.match(error.next, next);
      assert.partialDeepStrictEqual(error.question, question);
      assert.ok(text.notes.replaceAll(/\s+/g, ' ').includes(error.faults[0]), text.notes);
    });
  }

  for (const words of [
    ['--amenity', 'pool', '--amenity', 'terrace', '--amenity', 'lift'],
    ['--amenity', 'pool', '--amenity', 'Terrace', '--amenity', 'lift'],
  ]) {
    it(`goes on past an amenity that every home has: ${words.join(' ')}`, async (t) => {
      const { run } = await setUp(t, { brands: { acme: TERRACES.acme } });
      const { code, output, notes } = await run([...STAY, ...words]);
      assert.equal(code, 0, notes);
      assert.match(notes, /^All of these homes have it already: Terrace\.$/m);
      assert.match(output, /Only with: Pool,\sLift\./);
      const json = await run([...STAY, ...words, '--json'], []);
      assert.deepEqual(JSON.parse(json.output).applied_filters.amenities, ['pool', 'lift']);
    });
  }

  it('still ends with 2 at an amenity that no home has beside the others', async (t) => {
    const { run } = await setUp(t, { brands: TERRACES });
    const { code, notes } = await run([...STAY, '--amenity', 'pool', '--amenity', 'wifi']);
    assert.equal(code, 2);
    assert.doesNotMatch(notes, /have it already/);
  });

  it('asks nothing where a person would not see what is printed', async (t) => {
    const { service } = await setScene(t);
    const terminal = { ...createScriptedTerminal([]), isSeen: false };
    const tools = { terminal, sendHttp: fetchFrom(service) };
    assert.equal((await createCommandStage(t).run(['try'], { tools })).code, 2);
    assert.deepEqual(terminal.questions, []);
    assert.match(terminal.noted.join(''), /--destination is not given/);
  });

  it('says that nothing listens, and how to start it', async (t) => {
    const stage = createCommandStage(t);
    const sendHttp = () => Promise.reject(new TypeError('fetch failed'));
    const { code, notes } = await stage.run(['try'], { tools: { sendHttp } });
    assert.equal(code, 2);
    assert.match(notes, /✖ Nothing answers at http:\/\/127\.0\.0\.1:8080\.\n→ start the demo with npm start/);
  });

  it('says who lets a machine in that the service does not know', async (t) => {
    const { run } = await setUp(t, { registry: registryFor(null, ['10.0.0.0/8']) });
    const { code, notes } = await run(STAY);
    assert.equal(code, 2);
    assert.match(
      notes,
      /does not let this machine in\.\n→ its owner lets this machine in.*\n? *.*STAYWIRE_TRUSTED_NETWORKS/,
    );
  });

  it('says that what answers is something else', async (t) => {
    const stage = createCommandStage(t);
    const sendHttp = async () => new Response('<html>', { status: 200 });
    const { code, notes } = await stage.run(['try', '--url', 'http://other.example/'], {
      tools: { sendHttp },
    });
    assert.equal(code, 2);
    assert.match(notes, /What answers at http:\/\/other\.example is not Staywire\./);
  });

  it('takes no address but one of the web, and names the sources where one is unknown', async (t) => {
    const { run } = await setUp(t);
    assert.match((await run(['--url', 'ftp://x'])).notes, /--url ftp:\/\/x is not the address of a service/);
    const unknown = await run(['--source', 'nobody', '--json'], []);
    assert.equal(unknown.code, 2);
    assert.deepEqual(JSON.parse(unknown.output).error.sources, ['acme', 'blue']);
  });

  it('ends with 1 and what the service says when no operator answers', async (t) => {
    const { run, operators } = await setUp(t);
    for (const operator of Object.values(operators)) operator.misbehave = failQuotes;
    const { code, output } = await run([...STAY, '--json'], []);
    assert.equal(code, 1);
    assert.equal(JSON.parse(output).error.code, 'upstream_unavailable');
  });

  it('opens the page of the cheapest home with --open, and else none', async (t) => {
    const { run, opened } = await setUp(t);
    await run(STAY);
    assert.deepEqual(opened, []);
    const { notes } = await run([...STAY, '--open']);
    assert.equal(opened.length, 1);
    assert.match(opened[0] ?? '', /^https:\/\/stay\.example\/a\?/);
    assert.match(notes, /Opened https:\/\/stay\.example\/a\?/);
  });
});

describe('a page that cannot be opened', () => {
  it('is named, and ends --open with 1 after the comparison', async (t) => {
    const { run } = await setUp(t, { hasBrowser: false });
    const { code, output, notes } = await run([...STAY, '--open']);
    assert.equal(code, 1);
    assert.match(output, /3 homes, cheapest first/);
    assert.match(
      notes,
      /^! The page could not be opened here\. Its address, to copy:\n {2}https:\/\/stay\.example\/a\?/m,
    );
    assert.doesNotMatch(notes, /Opened/);
    const json = await run([...STAY, '--open', '--json'], []);
    assert.deepEqual([json.code, JSON.parse(json.output).object], [1, 'search_result']);
  });

  it('does not end the walk of a person', async (t) => {
    const { run } = await setUp(t, { hasBrowser: false });
    const { code, notes } = await run(STAY, [
      ['What next?', 'open'],
      ['Which home?', '2'],
      ['What next?', 'quit'],
    ]);
    assert.equal(code, 0);
    assert.match(notes, /The page could not be opened here/);
  });
});

describe('staywire try with a person', () => {
  it('narrows by the other amenities where one is refused, and says so', async (t) => {
    const { run } = await setUp(t);
    const { code, output, notes } = await run(
      [...STAY, '--amenity', 'moat', 'pool', 'dragons'],
      [['What next?', 'quit']],
    );
    assert.equal(code, 0, notes);
    assert.equal(notes.match(/^! --amenity: No match publishes/gm)?.length, 2);
    assert.match(output, /Only with: Pool\./);
    assert.match(output, /--guests 2 --amenity pool$/);
  });

  it('asks for each field among what is on offer, by the names of places', async (t) => {
    const { run } = await setUp(t);
    const { code, output, notes, terminal } = await run(
      [],
      [
        ['Where to?', 'lisbon-pt'],
        ['Arrival', '2027-04-10'],
        ['Departure', '2027-04-13'],
        ['How many people?', '2'],
        ['What next?', 'quit'],
      ],
    );
    assert.equal(code, 0, notes);
    assert.deepEqual(
      terminal.questions.map(({ message }) => message.split('?')[0]),
      ['Where to', 'Arrival', 'Departure', 'How many people', 'What next'],
    );
    assert.deepEqual(
      terminal.questions[0]?.choices?.map(({ label }) => label),
      ['Portugal', 'Lisbon, Portugal', 'Porto, Portugal'],
    );
    assert.match(output, /^\nLisbon · Sat 10 Apr 2027/);
    assert.match(
      output,
      /The same again:\n {2}staywire try --destination lisbon-pt --check-in 2027-04-10 \\\n {4}--check-out 2027-04-13 --guests 2$/,
    );
  });

  it('asks only for what the options leave open, and shows what was refused with what is near first', async (t) => {
    const brands = { acme: { properties: [property('a', { max_guests: 8 })] } };
    const { run } = await setUp(t, { brands });
    const { code, notes, output, terminal } = await run(
      ['--url', 'http://127.0.0.1:9999', ...STAY.slice(0, 6), '--guests', '9'],
      [
        ['How many people?', '4'],
        ['What next?', 'quit'],
      ],
    );
    assert.equal(code, 0);
    assert.match(
      notes.replaceAll(/\s+/g, ' '),
      /! --guests: No home that fits .* 8 is the most\. Nearest: 8, 7, 6, 5, 4\./,
    );
    assert.deepEqual(
      terminal.questions[0]?.choices?.map(({ value }) => value),
      ['8', '7', '6', '5', '4', '1', '2', '3'],
    );
    assert.match(output, /staywire try --url http:\/\/127\.0\.0\.1:9999 --destination lisbon-pt/);
  });

  it('narrows, takes filters off, changes the stay, shows a home and opens its page', async (t) => {
    const { run, opened } = await setUp(t);
    const { code, output, notes, terminal } = await run(STAY, [
      ['What next?', 'narrow'],
      ['Only homes with', 'pool'],
      ['What next?', 'show'],
      ['Which home?', '2'],
      ['What next?', 'open'],
      ['Which home?', '2'],
      ['What next?', 'clear'],
      ['What next?', 'change'],
      ['Change what?', 'check_in_day'],
      ['Arrival', '2027-05-01'],
      ['Departure', '2027-05-03'],
      ['What next?', 'change'],
      ['Change what?', 'guests'],
      ['How many people?', '3'],
      ['What next?', 'narrow'],
      ['Only homes with', 'lift'],
      ['What next?', 'quit'],
    ]);
    assert.equal(code, 0, notes);
    const labels = terminal.questions.find(({ message }) => message === 'Only homes with')?.choices ?? [];
    assert.deepEqual(labels.map(({ label }) => label).sort(), [
      'Back',
      'Lift · 1 of 3',
      'Pool · 2 of 3',
      'Wi-Fi · 2 of 3',
    ]);
    assert.match(output, /2 homes, cheapest first\. .*Only with: Pool\./);
    assert.match(output, /^2\. House b$/m);
    assert.match(output, /^https:\/\/stay\.example\/b\?/m);
    assert.equal(opened.length, 1);
    assert.match(opened[0] ?? '', /^https:\/\/stay\.example\/b\?/);
    assert.match(output, /Sat 1 May 2027 to Mon 3 May 2027 · 2 nights · 3 guests/);
    assert.match(output, /--check-in 2027-05-01 \\\n {4}--check-out 2027-05-03 --guests 3 --amenity lift$/);
    assert.ok(!output.includes('\u001b'));
    assert.doesNotMatch(notes, /^!/m, 'nothing that was asked for is refused');
  });

  it('keeps an amenity that every home has: in the same again, and when the stay changes', async (t) => {
    const { run } = await setUp(t, { brands: TERRACES });
    const { code, output, notes } = await run(
      ['--source', 'acme', '--brand-locked', 'true', ...STAY, '--amenity', 'pool', '--amenity', 'terrace'],
      [
        ['What next?', 'change'],
        ['Change what?', 'guests'],
        ['How many people?', '3'],
        ['What next?', 'narrow'],
        ['Only homes with', 'lift'],
        ['What next?', 'clear'],
        ['What next?', 'quit'],
      ],
    );
    assert.equal(code, 0, notes);
    assert.equal(notes.match(/have it already: Terrace/g)?.length, 2);
    assert.match(output, /--guests 3$/);
    const widened = await run(
      ['--source', 'acme', '--brand-locked', 'true', ...STAY, '--amenity', 'pool', '--amenity', 'terrace'],
      [
        ['What next?', 'change'],
        ['Change what?', 'brand_locked'],
        ['What next?', 'quit'],
      ],
    );
    assert.match(widened.output, /2 homes, cheapest first\. .*Only with: Pool,\sTerrace\./);
    assert.match(widened.output, /--amenity pool \\\n {4}--amenity terrace$/);
    const kept = await run(
      [...STAY.slice(0, 6), '--source', 'acme', '--brand-locked', 'true', '--amenity', 'pool', 'terrace'],
      [
        ['How many people?', '2'],
        ['What next?', 'quit'],
      ],
    );
    assert.match(kept.output.replaceAll(/\s+\\?\s*/g, ' '), /--guests 2 --amenity pool --amenity terrace$/);
    assert.doesNotMatch(kept.output, /Only with: .*Terrace/);
  });

  it('goes back to what next from a choice that is not made, by Escape or by choosing so', async (t) => {
    const { run, opened } = await setUp(t);
    const ways = [
      ['narrow', 'Only homes with'],
      ['change', 'Change what?'],
      ['show', 'Which home?'],
      ['open', 'Which home?'],
    ] as const;
    for (const back of [ESCAPE, '']) {
      const { code, output, notes, terminal } = await run(STAY, [
        ...ways.flatMap(([way, question]) => [['What next?', way] as const, [question, back] as const]),
        ['What next?', 'quit'],
      ]);
      assert.equal(code, 0, notes);
      assert.equal(terminal.questions.length, 9);
      assert.equal(output.match(/homes, cheapest first/g)?.length, 1, 'nothing was searched');
      assert.equal(terminal.questions[1]?.choices?.at(-1)?.label, 'Back');
    }
    assert.deepEqual(opened, []);
    for (const [way, question] of ways) {
      const { code } = await run(STAY, [
        ['What next?', way],
        [question, GIVE_UP],
      ]);
      assert.equal(code, 130, 'Ctrl-C still ends');
    }
  });

  it('enters through a brand, and leaves it again', async (t) => {
    const { run } = await setUp(t);
    const { code, output, notes, terminal } = await run(
      ['--source', 'acme', ...STAY],
      [
        ['Which homes?', 'true'],
        ['What next?', 'change'],
        ['Change what?', 'brand_locked'],
        ['What next?', 'quit'],
      ],
    );
    assert.equal(code, 0, notes);
    assert.ok(terminal.waited.some((text) => text.endsWith('Asking Brand acme …')));
    assert.ok(terminal.waited.some((text) => text.endsWith('Asking Brand acme and Brand blue …')));
    assert.match(output, /staywire try --source acme --brand-locked false --destination lisbon-pt/);
  });

  it('asks which source was meant where there is none of that name', async (t) => {
    const { run } = await setUp(t);
    const { code, output } = await run(
      ['--source', 'nobody', ...STAY],
      [
        ['There is no such source', ''],
        ['What next?', 'quit'],
      ],
    );
    assert.equal(code, 0);
    assert.doesNotMatch(output, /--source/);
  });

  it('goes on in a new session when the old one has ended', async (t) => {
    const { run, service } = await setUp(t);
    const stage = createCommandStage(t);
    const send = fetchFrom(service);
    let calls = 0;
    const { code, output, notes } = await stage.run(['try', ...STAY, '--amenity', 'pool'], {
      answers: [
        ['What next?', 'narrow'],
        ['Only homes with', 'lift'],
        ['What next?', 'quit'],
      ],
      tools: {
        sendHttp: (url, init) => {
          calls += 1;
          // After the session, the entry page, the names of places, the stay and its filter.
          if (calls === 6) service.time.now += 31 * 60_000;
          return send(url, init);
        },
      },
    });
    assert.equal(code, 0, notes);
    assert.match(notes, /The session has ended; a new one goes on with what you chose\./);
    assert.match(output, /--guests 2 --amenity pool --amenity lift$/);
    assert.equal((await run(STAY)).code, 0);
  });

  it('asks again when no operator has answered, if the person wants it', async (t) => {
    const { run, operators } = await setUp(t);
    for (const operator of Object.values(operators)) operator.misbehave = failQuotes;
    const given = await run(STAY, [['What next?', 'quit']]);
    assert.equal(given.code, 1);
    let failed = 0;
    for (const operator of Object.values(operators)) {
      operator.misbehave = (path, response) => failed++ < 2 && failQuotes(path, response);
    }
    const { code, output, notes } = await run(STAY, [
      ['What next?', 'again'],
      ['What next?', 'quit'],
    ]);
    assert.equal(code, 0, notes);
    assert.match(output, /3 homes, cheapest first/);
  });

  it('asks again with all filters, also those that were still to come', async (t) => {
    const { run, operators } = await setUp(t);
    let asked = 0;
    for (const operator of Object.values(operators)) {
      operator.misbehave = (path, response) => {
        if (path === '/quotes') asked += 1;
        return asked > 2 && asked <= 4 && failQuotes(path, response);
      };
    }
    const narrowed = await run(
      [...STAY, '--amenity', 'pool', 'lift'],
      [
        ['What next?', 'again'],
        ['What next?', 'quit'],
      ],
    );
    assert.match(narrowed.output, /1 home, cheapest first\. .*Only with: Pool,\sLift\./, narrowed.notes);
  });

  it('ends cleanly at Ctrl-C, at whichever question', async (t) => {
    const { run } = await setUp(t);
    for (const answers of [
      [['Where to?', GIVE_UP]],
      [
        ['Where to?', 'lisbon-pt'],
        ['Arrival', GIVE_UP],
      ],
    ] as const) {
      const { code, output, notes } = await run([], answers);
      assert.deepEqual([code, output], [130, '']);
      assert.match(notes, /Interrupted; nothing is left half done\.$/);
    }
    const { code } = await run(STAY, [['What next?', GIVE_UP]]);
    assert.equal(code, 130);
  });
});
