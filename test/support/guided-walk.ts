import assert from 'node:assert/strict';
import type { TestService } from './test-service.ts';

const FIELDS = ['brand_locked', 'destination', 'check_in_month', 'check_in_day', 'check_out', 'guests'];

/**
 * Opens a session and supplies offered values, in any order and with changes of mind, until there is a result; then narrows it by amenities.
 * Fails at a dead end, at a refused offer and at a result without an option.
 */
export async function walkToTheEnd(
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
