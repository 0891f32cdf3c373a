import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { brandEntry, networkFile } from '../support/network.ts';
import { randomProperties } from '../support/random-properties.ts';
import { startScriptedOperator } from '../support/scripted-operator.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { quoteTruthfully } from '../support/truthful-operator.ts';

const CITIES = ['lisbon-pt', 'porto-pt', 'evora-pt'];
const FIELDS = ['brand_locked', 'destination', 'check_in_month', 'check_in_day', 'check_out', 'guests'];

test('whoever follows offered values, in any order and with changes of mind, ends in a result with an option', async (t) => {
  const [wide, narrow, single] = await Promise.all([
    startScriptedOperator(),
    startScriptedOperator(),
    startScriptedOperator(),
  ]);
  t.after(() => Promise.all([wide.close(), narrow.close(), single.close()]));
  for (const operator of [wide, narrow, single]) quoteTruthfully(operator);
  const network = networkFile([
    brandEntry('wide', wide.origin),
    brandEntry('narrow', narrow.origin),
    { ...brandEntry('single', single.origin), single_location: 'porto-pt' },
  ]);

  const inventory = fc.record({
    wide: randomProperties(CITIES),
    narrow: randomProperties(['evora-pt']),
    single: randomProperties(['porto-pt']),
  });
  const walk = fc.record({
    source: fc.constantFrom('wide', 'narrow', 'single', undefined),
    choices: fc.infiniteStream(fc.nat(1_000_000)),
  });

  await fc.assert(
    fc.asyncProperty(inventory, fc.array(walk, { minLength: 4, maxLength: 8 }), async (stock, walks) => {
      wide.properties = stock.wide;
      narrow.properties = stock.narrow;
      single.properties = stock.single;
      const service = await startTestService({ network, settings: { rateLimit: 100_000 } });
      try {
        for (const { source, choices } of walks) await walkToTheEnd(service, source, choices);
      } finally {
        await service.close();
      }
    }),
    { numRuns: 40 },
  );
});

async function walkToTheEnd(
  service: TestService,
  source: string | undefined,
  choices: Iterator<number>,
): Promise<void> {
  const choose = <T>(from: readonly T[]): T => from[(choices.next().value ?? 0) % from.length] as T;
  const auth = await service.post('/ai/v1/auth', source === undefined ? {} : { source });
  const url = `/ai/v1/search?session=${auth.body.session}`;
  const seen: [string, string][] = [];
  let answer = await service.get(auth.body.next_request.url);

  for (let step = 0; answer.body.object !== 'search_result'; step += 1) {
    assert.ok(step < 200, 'the walk never ends');
    assert.equal(answer.status, 200);
    const offers = offersIn(answer.body.allowed_values);
    assert.ok(offers.length > 0, `a dead end after ${JSON.stringify(answer.body.received)}`);
    const changesMind = step < 60 && seen.length > 0 && choose([true, false, false, false]);
    const [field, value] = choose(changesMind ? seen : offers);
    const before = answer.body.received;
    answer = await service.post(url, { field, value });
    if (!changesMind)
      assert.notEqual(
        answer.body.error,
        'invalid_value',
        `${field}=${value} was on offer for ${JSON.stringify(before)}`,
      );
    if (answer.body.error === 'invalid_value' || answer.body.error === 'prerequisite_missing') {
      assert.deepEqual(answer.body.received, before, 'a refused value changed something');
    }
    seen.push([field, value]);
  }

  for (let narrowings = 0; ; narrowings += 1) {
    assert.ok(narrowings < 20, 'an amenity that narrows nothing is offered again and again');
    assert.ok(answer.body.comparison_set.options_count > 0, 'a result without an option');
    assert.equal(
      answer.body.comparison_set.coverage.every((brand: { unavailable: number }) => brand.unavailable === 0),
      true,
      'the index offered what the calendar forbids',
    );
    const { refine } = answer.body.available_requests;
    if (!refine) break;
    const step = await service.post(refine.href, {});
    const offer = choose(step.body.allowed_values.amenities as { value: string; match_count: number }[]);
    answer = await service.post(refine.href, { amenities: offer.value });
    assert.equal(answer.body.comparison_set.total_matches, offer.match_count);
  }
}

function offersIn(allowed: Record<string, unknown[]>): [string, string][] {
  return FIELDS.flatMap((field) =>
    (allowed[field] ?? []).map((entry): [string, string] => [
      field,
      String(typeof entry === 'object' && entry ? Reflect.get(entry, 'value') : entry),
    ]),
  );
}
