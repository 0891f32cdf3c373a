import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { brandEntry, networkFile } from '../support/network.ts';
import { casesOverNodes } from '../support/property-cases.ts';
import { randomProperties } from '../support/random-properties.ts';
import { startScriptedOperator } from '../support/scripted-operator.ts';
import { startTestService, type TestAnswer, type TestService } from '../support/test-service.ts';
import { quoteTruthfully } from '../support/truthful-operator.ts';

const ORIGIN = 'https://stay.example';

type Choose = <T>(from: readonly T[]) => T;
type Walk = (service: TestService, source: string | undefined, choose: Choose) => Promise<void>;

/** Every walk starts at `/`, as an assistant does that has nothing but the network's address. */
async function openByGet(service: TestService, source: string | undefined): Promise<TestAnswer> {
  const entry = await follow(service, source === undefined ? '/' : `/?source=${source}`);
  const opened = await follow(service, entry.body.start_by_get.url);
  assert.equal(opened.body.object, 'session', opened.raw);
  assert.equal(opened.body.source, source ?? null);
  return opened;
}

const byLinks: Walk = async (service, source, choose) => {
  const view = choose(['', '&view=compact']);
  const opened = await openByGet(service, source);
  const old: string[] = [];
  let answer = await follow(service, opened.body.next_request.url + view);
  for (let steps = 0; answer.body.object !== 'search_result'; steps += 1) {
    assert.ok(steps < 100, 'the walk never ends');
    const links: string[] = answer.body.available_requests.map(({ url }: { url: string }) => url);
    if (view !== '') for (const link of links) assert.match(link, /view=compact/);
    // Now and then an address of an earlier step.
    const url = steps < 30 && old.length > 0 && choose([true, false, false]) ? choose(old) : choose(links);
    old.push(url);
    answer = await follow(service, url);
  }
  await narrowByLinks(service, answer, choose);
};

/** Follows refine, its amenities, changes and clear_filters, as long as there are any. */
async function narrowByLinks(service: TestService, first: TestAnswer, choose: Choose): Promise<void> {
  let answer = first;
  for (let narrowings = 0; ; narrowings += 1) {
    assert.ok(narrowings < 20, 'an amenity that narrows nothing is offered again and again');
    assert.ok(answer.body.comparison_set.options_count > 0, 'a result without an option');
    const { refine, clear_filters } = answer.body.available_requests;
    if (clear_filters && choose([true, false, false, false])) {
      const cleared = await follow(service, clear_filters.href);
      assert.deepEqual(cleared.body.applied_filters.amenities, []);
      assert.ok(cleared.body.comparison_set.options_count > 0);
      return;
    }
    if (!refine) return;
    const step = await follow(service, refine.href);
    const amenities = step.body.available_requests.slice(0, -1);
    answer = await follow(service, choose(amenities as { url: string }[]).url);
  }
}

const byNamedFields: Walk = async (service, source, choose) => {
  const opened = await openByGet(service, source);
  let template: string = opened.body.url_template;
  let answer = await follow(service, opened.body.next_request.url);
  for (let steps = 0; answer.body.object !== 'search_result'; steps += 1) {
    assert.ok(steps < 100, 'the walk never ends');
    template = answer.body.url_template ?? template;
    const open = Object.entries(answer.body.allowed_values as Record<string, unknown[]>);
    const chosen = open.filter(() => choose([true, false]));
    const values = Object.fromEntries(
      (chosen.length > 0 ? chosen : open.slice(0, 1)).map(([field, offered]) => [
        field,
        textOf(choose(offered)),
      ]),
    );
    const missing = answer.body.missing_fields;
    answer = await follow(service, filled(template, values));
    // Values that were on offer one by one may exclude each other. The first one is always taken.
    if (answer.body.object !== 'search_result') {
      assert.notDeepEqual(answer.body.missing_fields, missing, 'nothing was taken');
    }
    if (answer.body.error === 'invalid_value') {
      for (const suggestion of answer.body.suggestions ?? []) assert.equal(typeof suggestion, 'string');
    }
  }
  assert.ok(answer.body.comparison_set.options_count > 0, 'a result without an option');
};

for (const [name, walk] of [
  ['by links only', byLinks],
  ['by named fields only', byNamedFields],
] as const) {
  test(`whoever can only GET ends in options, from the entry on, ${name}`, async (t) => {
    const [wide, single] = await Promise.all([startScriptedOperator(), startScriptedOperator()]);
    t.after(() => Promise.all([wide.close(), single.close()]));
    for (const operator of [wide, single]) quoteTruthfully(operator);
    const network = networkFile([
      brandEntry('wide', wide.origin),
      { ...brandEntry('single', single.origin), single_location: 'porto-pt' },
    ]);
    const inventory = fc.record({
      wide: randomProperties(['lisbon-pt', 'porto-pt', 'evora-pt']),
      single: randomProperties(['porto-pt']),
    });
    const walks = fc.array(
      fc.record({
        source: fc.constantFrom('wide', 'single', undefined),
        choices: fc.infiniteStream(fc.nat(1_000_000)),
      }),
      { minLength: 4, maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(inventory, walks, async (stock, all) => {
        wide.properties = stock.wide;
        single.properties = stock.single;
        const service = await startTestService({
          network,
          settings: { rateLimit: 100_000, publicUrl: ORIGIN },
        });
        try {
          for (const { source, choices } of all) {
            await walk(service, source, (from) => from[(choices.next().value ?? 0) % from.length] as never);
          }
        } finally {
          await service.close();
        }
      }),
      { numRuns: casesOverNodes(25) },
    );
  });
}

/** Opens an address as it was given. */
async function follow(service: TestService, url: string): Promise<TestAnswer> {
  const answer = await service.get(url.replace(ORIGIN, ''), { accept: 'application/json' });
  assert.equal(answer.status, 200, answer.raw);
  return answer;
}

function filled(template: string, values: Record<string, string>): string {
  const address = template.replace(/&(\w+)=\{\1\}/g, (_, name: string) =>
    values[name] === undefined ? '' : `&${name}=${encodeURIComponent(values[name])}`,
  );
  // The template leaves the month out, because a day sets it.
  const month = values.check_in_month;
  return month === undefined || values.check_in_day !== undefined
    ? address
    : `${address}&check_in_month=${month}`;
}

function textOf(offered: unknown): string {
  return String(typeof offered === 'object' && offered ? Reflect.get(offered, 'value') : offered);
}
