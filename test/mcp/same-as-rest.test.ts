import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sendToMcp, toolMessage } from '../support/mcp-message.ts';
import { alwaysFree, brandEntry, networkFile, PLACES, property } from '../support/network.ts';
import { randomProperties } from '../support/random-properties.ts';
import { startScriptedOperator } from '../support/scripted-operator.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { quoteTruthfully } from '../support/truthful-operator.ts';
import { openOverRest, searchOverRest, toolFindings } from './search-findings.ts';
import { randomTurn, type Turn, valuesOf } from './traveller-turns.ts';

const WORLDS = 30;
const SEARCHES_OF_A_WORLD = 10;
const CITIES = ['lisbon-pt', 'porto-pt', 'evora-pt'];
/** Members and addresses of the interface that tools do not have. */
const ELSEWHERE =
  /next_request|available_requests|operator_text|coverage|selection|url_template|\/ai\/|the address/;

const OTHER_LISBON = {
  id: 'lisbon-other',
  name: 'Lisbon',
  kind: 'city',
  time_zone: 'Europe/Lisbon',
  currency: 'EUR',
} as const;
/** With every rule that a calendar can have, one after the other. */
const STRICT_HOMES = [
  property('strict', { place: 'porto-pt', lead_days: 3 }, [
    {
      from: '2027-03-01',
      to: '2027-03-06',
      available: true,
      minimum_stay: 4,
      maximum_stay: 5,
      price: '50.00',
    },
    { from: '2027-03-06', to: '2027-03-08', available: true, closed_to_arrival: true, price: '50.00' },
    { from: '2027-03-08', to: '2027-03-10', available: true, closed_to_departure: true, price: '50.00' },
    { from: '2027-03-10', to: '2027-03-30', available: true, price: '50.00' },
  ]),
  property('elsewhere', { place: OTHER_LISBON.id }, alwaysFree()),
];

/** Refusals of every kind that a search can have, but for several amenities in one request, which tools apply at once. */
const REASONS = [
  'ambiguous',
  'beyond_horizon',
  'closed_to_arrival',
  'closed_to_departure',
  'conflicts_with',
  'in_the_past',
  'lead_time',
  'maximum_stay',
  'minimum_stay',
  'no_such_date',
  'not_a_date',
  'not_on_network',
  'nothing_free',
  'party_too_large',
  'prerequisite_missing',
  'refine_not_available',
  'unknown_field',
  'wrong_type',
];
test('300 random searches over MCP and over REST find, refuse and ask the same', async (t) => {
  const [wide, narrow, single, strict] = await Promise.all([
    startScriptedOperator(),
    startScriptedOperator(),
    startScriptedOperator(),
    startScriptedOperator(),
  ]);
  const operators = [wide, narrow, single, strict];
  t.after(() => Promise.all(operators.map((operator) => operator.close())));
  for (const operator of operators) quoteTruthfully(operator);
  strict.properties = STRICT_HOMES;
  const network = {
    ...networkFile([
      brandEntry('wide', wide.origin),
      brandEntry('narrow', narrow.origin),
      { ...brandEntry('single', single.origin), single_location: 'porto-pt' },
      brandEntry('strict', strict.origin),
    ]),
    places: [...PLACES, OTHER_LISBON],
  };
  const compared: Compared = { outcomes: new Map(), reasons: new Map() };

  const world = fc.record({
    wide: randomProperties(CITIES),
    narrow: randomProperties(['evora-pt']),
    single: randomProperties(['porto-pt']),
    searches: fc.array(
      fc.record({
        source: fc.constantFrom('wide', 'narrow', 'single', 'strict', 'strict', null, null, null, 'nobody'),
        turns: fc.array(randomTurn, { minLength: 1, maxLength: 5 }),
      }),
      { minLength: SEARCHES_OF_A_WORLD, maxLength: SEARCHES_OF_A_WORLD },
    ),
  });

  await fc.assert(
    fc.asyncProperty(world, async (stock) => {
      wide.properties = stock.wide;
      narrow.properties = stock.narrow;
      single.properties = stock.single;
      const service = await startTestService({ network, settings: { rateLimit: 100_000 } });
      try {
        const origin = await service.listen();
        for (const { source, turns } of stock.searches) {
          await compareSearches(service, origin, { source, turns }, compared);
        }
      } finally {
        const closed = service.close();
        service.server.closeAllConnections();
        await closed;
      }
    }),
    { numRuns: WORLDS },
  );
  for (const [what, counts] of Object.entries(compared)) {
    t.diagnostic(`${what}: ${[...counts].map(([name, count]) => `${name} ${count}`).join(', ')}`);
  }
  for (const outcome of ['comparison', 'question', 'refused', 'problem']) {
    assert.ok((compared.outcomes.get(outcome) ?? 0) >= 20, `${outcome} was compared`);
  }
  // Other seeds may leave out one that is rare.
  if (process.env.STAYWIRE_TEST_SEED === undefined) {
    assert.deepEqual([...compared.reasons.keys()].sort(), REASONS);
  }
});

/** How often each was compared. */
type Compared = Readonly<Record<'outcomes' | 'reasons', Map<string, number>>>;

/** One conversation by each transport, side by side. */
async function compareSearches(
  service: TestService,
  origin: string,
  { source, turns }: { readonly source: string | null; readonly turns: readonly Turn[] },
  compared: Compared,
): Promise<void> {
  let rest = await openOverRest(service, source);
  let session: string | null = null;
  for (const one of turns) {
    const values = valuesOf(one, rest.body, source);
    const expected =
      rest.token === null
        ? { outcome: 'problem', code: rest.body.error }
        : await searchOverRest(service, rest.token, values, one.amenities);
    const { body } = await sendToMcp(
      origin,
      toolMessage('search_stays', {
        ...(session === null ? { source } : { session }),
        ...values,
        amenities: one.amenities,
        max_options: 20,
      }),
    );
    const { structuredContent, content, isError } = body.result;
    const about = JSON.stringify({ source, values, amenities: one.amenities });
    assert.deepEqual(
      toolFindings(structuredContent),
      'last' in expected ? expected.findings : expected,
      about,
    );
    assert.equal(isError === true, structuredContent.outcome === 'problem', about);
    assert.doesNotMatch(content[0].text, ELSEWHERE, about);
    assert.doesNotMatch(JSON.stringify(structuredContent), ELSEWHERE, about);
    count(compared.outcomes, structuredContent.outcome);
    for (const { reason, error } of structuredContent.refusals ?? []) {
      count(compared.reasons, reason?.code ?? error);
    }
    if (!('last' in expected)) return;
    rest = { token: rest.token, body: expected.last };
    session = structuredContent.session;
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
