import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STAY } from '../support/conversation.ts';
import { sendToMcp, toolMessage } from '../support/mcp-message.ts';
import { PLACES, property } from '../support/network.ts';
import { ACME, priced, setScene } from '../support/scene.ts';

// What assistants that had never seen the interface stumbled over, one test each. What was untrue about prices is tested
// with the prices, in live-quotes.test.ts and comparison-set.test.ts.

const WHOLE_STAY = {
  destination: 'Lisbon',
  check_in_day: '2027-04-10',
  check_out: '2027-04-13',
  guests: '2',
};

test('an assistant that can only GET searches with two addresses, from the entry on', async (t) => {
  const { service } = await setScene(t);
  const entry = await service.get('/', { accept: 'application/json' });
  const opened = await service.get(entry.body.start_by_get.url);
  assert.equal(opened.body.object, 'session', opened.raw);
  const address = fill(opened.body.url_template, WHOLE_STAY);
  const { body } = await service.get(address);
  assert.equal(body.object, 'search_result');
  assert.equal(body.query.destination, 'lisbon-pt');
});

test('filters survive a change of mind while a match has them', async (t) => {
  const { open } = await setScene(t);
  const conversation = await open();
  await conversation.search();
  const narrowed = await conversation.send({ amenities: 'pool' });
  assert.deepEqual(narrowed.body.applied_filters.amenities, ['pool']);
  const { body } = await conversation.send({ guests: '4' });
  assert.deepEqual(body.applied_filters.amenities, ['pool']);
  assert.deepEqual(
    body.results.map((option: { property_id: string }) => option.property_id),
    ['acme:b'],
  );
  assert.equal('cleared_fields' in body, false);
});

test('a filter that no match has any more is named where the assistant reads it', async (t) => {
  const { open } = await setScene(t, {
    brands: {
      acme: {
        properties: [
          property('a', { amenities: { wifi: 'Wi-Fi' }, max_guests: 6 }),
          property('b', { amenities: { wifi: 'Wi-Fi', pool: 'Pool' } }),
        ],
      },
    },
  });
  const conversation = await open();
  await conversation.search();
  await conversation.send({ amenities: 'pool' });
  const { body } = await conversation.send({ guests: '6' });
  assert.equal(body.object, 'search_result');
  assert.deepEqual(body.applied_filters.amenities, []);
  assert.deepEqual(body.cleared_fields, ['amenities']);
  assert.deepEqual(body.cleared_amenities, ['pool']);
  assert.match(body.notes, /Filters .* taken off/);
});

test('a stay below the minimum is refused with the minimum and the nearest departures', async (t) => {
  const { open } = await setScene(t, {
    brands: {
      acme: {
        properties: [
          property('a', {}, [{ from: '2027-03-01', to: '2027-06-01', available: true, minimum_stay: 5 }]),
        ],
      },
    },
  });
  const conversation = await open();
  const { body } = await conversation.send(STAY);
  assert.equal(body.error, 'invalid_value');
  assert.equal(body.invalid_field, 'check_out');
  assert.deepEqual(body.reason, { code: 'minimum_stay', nights: 5 });
  assert.equal(
    body.message,
    'Invalid value for field: check_out. The stay is too short: at least 5 nights are needed. Ask the traveller before you follow next_request: it changes check_out.',
  );
  assert.deepEqual(body.suggestions.slice(0, 2), ['2027-04-15', '2027-04-16']);
  assert.deepEqual([body.next_request.field, body.next_request.value], ['check_out', '2027-04-15']);
  assert.deepEqual(body.accepted_fields, ['destination', 'check_in_month', 'check_in_day', 'guests']);
  assert.deepEqual(body.refused_fields, ['check_out']);
});

test('a departure that is refused on a complete search is corrected for the whole party', async (t) => {
  const untilMay = [{ from: '2027-03-01', to: '2027-05-01', available: true }];
  const { service, open } = await setScene(t, {
    brands: {
      acme: {
        properties: [
          property('house', { max_guests: 10 }, untilMay),
          property('hut', { max_guests: 2 }, [{ from: '2027-03-01', to: '2027-06-01', available: true }]),
        ],
      },
    },
  });
  const conversation = await open();
  await conversation.send({ ...STAY, guests: '10' });
  const { body } = await conversation.send({ check_out: '2027-07-20' });
  assert.equal(body.invalid_field, 'check_out');
  assert.equal(body.suggestions[0], '2027-05-01', 'the hut is free longer, but not for ten');
  const followed = await service.get(body.next_request.url);
  assert.equal(followed.body.object, 'search_result');
  assert.deepEqual([followed.body.query.guests, followed.body.query.check_out], [10, '2027-05-01']);
});

test('an answer that a change clears is asked for with the value nearest to it', async (t) => {
  const { open } = await setScene(t, {
    brands: {
      acme: {
        properties: [
          property('house', { max_guests: 10 }, [{ from: '2027-03-01', to: '2027-05-01', available: true }]),
          property('hut', { max_guests: 2 }, [{ from: '2027-03-01', to: '2027-06-01', available: true }]),
        ],
      },
    },
  });
  const conversation = await open();
  await conversation.send({ ...STAY, guests: '10' });
  const { body } = await conversation.send({ check_out: '2027-05-20' });
  assert.deepEqual([body.error, body.cleared_fields], ['incomplete_payload', ['guests']]);
  assert.deepEqual([body.next_request.field, body.next_request.value], ['guests', '2']);
});

test('a stay in a year that has passed is corrected to the same days of the next', async (t) => {
  const { service, open } = await setScene(t);
  const conversation = await open();
  const { body } = await conversation.send({
    ...WHOLE_STAY,
    check_in_day: '2026-04-10',
    check_out: '2026-04-13',
  });
  assert.deepEqual([body.invalid_field, body.reason], ['check_in_day', { code: 'in_the_past' }]);
  assert.match(body.next_request.url, /&check_in_day=2027-04-10&check_out=2027-04-13&/);
  const followed = await service.get(body.next_request.url);
  assert.equal(followed.body.object, 'search_result');
  assert.equal(followed.body.query.nights, 3);
});

test('an amenity beside a misspelt place is not lost when the correction is followed', async (t) => {
  const { service, open } = await setScene(t);
  const conversation = await open();
  const { body } = await conversation.send({ ...WHOLE_STAY, destination: 'Lisbom', amenities: 'pool' });
  assert.match(body.next_request.url, /&destination=lisbon-pt&amenities=pool&/);
  const followed = await service.get(body.next_request.url);
  assert.deepEqual(followed.body.applied_filters, { amenities: ['pool'] });
});

test('a method that an address does not take leads back to the session, wherever the request names it', async (t) => {
  const { service, open } = await setScene(t);
  const { token } = await open();
  for (const [method, path] of [
    ['PUT', '/ai/v1/search'],
    ['POST', '/ai/v1/result'],
  ] as const) {
    for (const call of [
      { url: `${path}?session=${token}&view=compact` },
      { url: `${path}?view=compact`, payload: { session: token } },
    ]) {
      const { status, body } = await service.call({ method, ...call });
      assert.equal(status, 405);
      assert.ok(body.next_request.url.startsWith(`${path}?session=${token}&`), body.next_request.url);
      assert.match(body.next_request.url, /&view=compact$/);
      assert.equal(body.next_request.method, 'GET');
    }
    const { body } = await service.call({ method, url: path, payload: 'no JSON' });
    assert.equal(body.next_request.url, '/ai/v1/auth');
  }
});

test('what belongs in the address is told so when it comes in the body', async (t) => {
  const { open } = await setScene(t);
  const conversation = await open();
  for (const [name, value] of [
    ['view', 'compact'],
    ['idempotency_key', 'mine'],
    ['api_version', '2026-11-01'],
  ] as const) {
    const { body } = await conversation.send({ [name]: value, guests: '2' });
    assert.deepEqual([body.error, body.invalid_field], ['unknown_field', name]);
    assert.match(body.message, new RegExp(`${name} belongs in the address, not in the body\\.`));
    assert.deepEqual(body.received, { guests: '2' });
  }
});

test('an unsupported version comes with an address that is served', async (t) => {
  const { service, open } = await setScene(t);
  const { token } = await open();
  for (const path of [`/ai/v1/search?session=${token}&`, '/ai/v1/auth?', '/ai/v1/schema?']) {
    const { body } = await service.get(`${path}api_version=1999-01-01`);
    assert.equal(body.error, 'unsupported_version');
    const followed = await service.get(body.next_request.url);
    assert.equal(followed.status, 200);
    assert.notEqual(followed.body.error, 'unsupported_version');
    assert.ok(body.next_request.url.startsWith(path.slice(0, -1)), 'the same, for the same session');
  }
});

test('a brand is not locked without a source, and the answer says how', async (t) => {
  const { open } = await setScene(t);
  const conversation = await open(null);
  const { body } = await conversation.send({ brand_locked: true });
  assert.equal(body.error, 'unknown_field');
  assert.match(body.message, /open a session with \?source=/);
});

test('31 April is no date, and the days around the end of April are proposed', async (t) => {
  const { open } = await setScene(t);
  const { body } = await (await open()).send({ check_in_day: '2027-04-31' });
  assert.deepEqual(body.reason, { code: 'no_such_date' });
  assert.deepEqual(body.suggestions.slice(0, 3), ['2027-04-30', '2027-04-29', '2027-05-01']);
});

test('a place that is not on the network is refused as such, and no other place is proposed', async (t) => {
  const { open } = await setScene(t);
  const { body } = await (await open()).send({ destination: 'Berlin' });
  assert.deepEqual(body.reason, { code: 'not_on_network' });
  assert.equal('suggestions' in body, false);
  assert.equal('value' in body.next_request, false);
});

test('a refused place with nothing near it is for the traveller to replace, from the first step on', async (t) => {
  const { service, open } = await setScene(t);
  const { body } = await (await open()).send({ destination: 'Berlin' });
  assert.match(body.message, /ask the traveller/);
  const step = await service.get(body.next_request.url);
  assert.deepEqual([step.body.error, step.body.next_required], ['incomplete_payload', 'destination']);
  assert.match(step.body.message, /^Missing required field: destination\. .*refused: ask the traveller/);
  assert.deepEqual(step.body.next_request.changes, ['destination']);
  const chosen = await service.get(step.body.available_requests[1].url);
  assert.equal(chosen.body.message, 'Missing required field: check_in_month', 'a chosen place is one');
  assert.equal('changes' in chosen.body.next_request, false);
});

test('a place that is refused after a result leads neither back to it nor on with its place', async (t) => {
  const { service, open } = await setScene(t);
  for (const sent of [{ destination: 'Berlin' }, { ...STAY, destination: 'Berlin' }]) {
    const conversation = await open();
    const found = await conversation.search();
    const { body } = await conversation.send(sent);
    assert.deepEqual([body.error, body.invalid_field], ['invalid_value', 'destination']);
    assert.deepEqual([body.cleared_fields, body.next_required], [['destination'], 'destination']);
    const step = await service.get(body.next_request.url);
    assert.deepEqual([step.body.error, step.body.next_required], ['incomplete_payload', 'destination']);
    assert.match(step.body.message, /refused: ask the traveller/);
    const { destination: _, ...others } = STAY;
    assert.deepEqual(step.body.received, others, 'the rest of the stay stands');
    const later = await conversation.send({ guests: '3' });
    assert.deepEqual([later.body.error, later.body.next_required], ['incomplete_payload', 'destination']);
    const kept = await conversation.result();
    assert.equal(kept.raw, found.raw, 'what was found can still be read');
    assert.equal(kept.headers['x-result-current'], 'false');
  }
});

test('a value that cannot be read leaves the search as it stands, and the reading asks for it again', async (t) => {
  const { service, open } = await setScene(t);
  const conversation = await open();
  await conversation.search();
  for (const [field, written] of [
    ['guests', 'two'],
    ['check_in_day', 'soon'],
    ['destination', ''],
  ] as const) {
    const { body } = await conversation.send({ [field]: written });
    assert.deepEqual([body.error, body.invalid_field, body.received], ['invalid_value', field, STAY]);
    const step = await service.get(body.next_request.url);
    assert.match(step.body.message, new RegExp(`^Missing required field: ${field}\\. .*ask the traveller`));
    assert.deepEqual([step.body.next_required, step.body.next_request.changes], [field, [field]]);
    assert.deepEqual(step.body.received, STAY);
  }
  const { body } = await conversation.send({ amenities: 'pool' });
  assert.equal(body.query.destination, 'lisbon-pt', 'the search goes on');
});

test('a value that is refused with values near it leaves the search as it stands', async (t) => {
  const { open } = await setScene(t);
  const conversation = await open();
  const found = await conversation.search();
  const { body } = await conversation.send({ guests: '10' });
  assert.deepEqual([body.suggestions[0], body.received.guests], ['4', '2']);
  assert.equal('cleared_fields' in body, false);
  assert.equal((await conversation.result()).raw, found.raw);
});

test('what changes the words of the traveller is marked, and the message says to ask', async (t) => {
  const { open } = await setScene(t);
  for (const [sent, changes] of [
    [{ guests: '10' }, ['guests']],
    [{ destination: 'Lisbom' }, ['destination']],
    [{ check_in_day: '2026-04-10', check_out: '2026-04-13' }, ['check_in_day', 'check_out']],
    [{ check_out: '2028-01-10' }, ['check_out']],
  ] as const) {
    const { body } = await (await open()).send({ ...WHOLE_STAY, ...sent });
    assert.equal(body.error, 'invalid_value', JSON.stringify(sent));
    assert.deepEqual(body.next_request.changes, changes, JSON.stringify(sent));
    const asked = `Ask the traveller before you follow next_request: it changes ${changes.join(', ')}.`;
    assert.ok(body.message.includes(asked), body.message);
  }
  for (const sent of [{ check_in_day: '10 April 2027' }, { check_in_day: '2027/04/10' }]) {
    const { body } = await (await open()).send({ ...WHOLE_STAY, ...sent });
    assert.equal(body.reason.code, 'not_a_date');
    assert.equal('changes' in body.next_request, false, 'the same day, written otherwise');
    assert.doesNotMatch(body.message, /traveller/);
  }
  const doubtful = await (await open()).send({ check_in_day: '05/04/2027' });
  assert.deepEqual(doubtful.body.next_request.changes, ['check_in_day'], 'April or May');
});

test('a day that has just passed is answered with the nearest, and a month that moves is named', async (t) => {
  const allYear = [{ from: '2027-02-01', to: '2028-06-01', available: true }];
  const { open } = await setScene(t, { brands: { acme: { properties: [property('a', {}, allYear)] } } });
  const conversation = await open();
  await conversation.send({ check_in_month: '2027-04' });
  const { body } = await conversation.send({ check_in_day: '2027-02-20' });
  assert.deepEqual(body.suggestions, ['2027-03-01', '2027-03-02', '2027-03-03', '2027-03-04', '2027-03-05']);
  assert.deepEqual(body.next_request.changes, ['check_in_month', 'check_in_day']);
  assert.equal(body.received.check_in_month, '2027-04');
});

test('a refused departure comes with stays of as many nights, earlier and later', async (t) => {
  const free = { from: '2027-03-01', to: '2027-06-01', available: true };
  const { service, open } = await setScene(t, {
    brands: {
      acme: {
        properties: [
          property('a', {}, [
            { ...free, to: '2027-04-12' },
            { ...free, from: '2027-04-12', to: '2027-04-14', available: false },
            { ...free, from: '2027-04-14' },
          ]),
        ],
      },
    },
  });
  const { body } = await (await open()).send(WHOLE_STAY);
  assert.deepEqual([body.invalid_field, body.suggestions[0]], ['check_out', '2027-04-12']);
  assert.deepEqual(
    body.suggested_stays.map((stay: { check_in_day: string; check_out: string; changes: string[] }) => [
      stay.check_in_day,
      stay.check_out,
      stay.changes,
    ]),
    [
      ['2027-04-09', '2027-04-12', ['check_in_day', 'check_out']],
      ['2027-04-08', '2027-04-11', ['check_in_day', 'check_out']],
      ['2027-04-07', '2027-04-10', ['check_in_day', 'check_out']],
      ['2027-04-06', '2027-04-09', ['check_in_day', 'check_out']],
      ['2027-04-14', '2027-04-17', ['check_in_day', 'check_out']],
    ],
  );
  const followed = await service.get(body.suggested_stays[0].url);
  assert.deepEqual([followed.body.query.check_in, followed.body.query.nights], ['2027-04-09', 3]);
});

test('one refused value costs none of the others', async (t) => {
  const { open } = await setScene(t);
  const conversation = await open();
  const { body } = await conversation.send({ ...STAY, destination: 'Berlin', colour: 'red' });
  assert.deepEqual(body.refused_fields, ['destination', 'colour']);
  assert.deepEqual(body.accepted_fields, ['check_in_month', 'check_in_day', 'check_out', 'guests']);
  const found = await conversation.send({ destination: 'lisbon' });
  assert.equal(found.body.object, 'search_result');
});

test('moving the arrival keeps a departure that is still on offer', async (t) => {
  const { open } = await setScene(t);
  const conversation = await open();
  const { guests: _, ...rest } = STAY;
  await conversation.send(rest);
  const { body } = await conversation.send({ check_in_day: '2027-04-11' });
  assert.equal('cleared_fields' in body, false);
  assert.equal(body.received.check_out, '2027-04-13');
});

test('an old address never answers with a past state', async (t) => {
  const { service, open } = await setScene(t);
  const conversation = await open();
  const first = await conversation.read();
  const lisbon = first.body.available_requests.find((one: { value: string }) => one.value === 'lisbon-pt');
  const taken = await service.get(lisbon.url);
  assert.equal('from_earlier_step' in taken.body, false);
  const again = await service.get(lisbon.url);
  assert.equal(again.headers['idempotent-replayed'], 'true');
  assert.equal(again.body.received.destination, 'lisbon-pt');
  await conversation.send({ destination: 'porto-pt' });
  const late = await service.get(lisbon.url);
  assert.equal(late.body.received.destination, 'lisbon-pt', 'a change of mind is carried out');
  assert.equal(late.body.from_earlier_step, true);
  assert.equal((await conversation.read()).body.received.destination, 'lisbon-pt');
});

test("a client's own key works on every offered address", async (t) => {
  const { service, open } = await setScene(t);
  const conversation = await open();
  const { body } = await conversation.read();
  const own = { 'idempotency-key': 'my own key 1' };
  const taken = await service.post(body.next_request.url, {}, own);
  assert.equal(taken.body.error, 'incomplete_payload', taken.raw);
  assert.equal(taken.headers['idempotency-key'], 'my own key 1');
  await conversation.send({ destination: 'porto-pt' });
  const again = await service.post(body.next_request.url, {}, own);
  assert.equal(again.headers['idempotent-replayed'], 'true');
  assert.equal(
    again.body.received.destination,
    'porto-pt',
    'never carried out twice, and never a past state',
  );
});

test('the compact view is short, says what it cut, and is carried on by every address', async (t) => {
  const { service, open, operator } = await setScene(t, {
    brands: { acme: { properties: [...ACME.properties, property('d'), property('e')] } },
  });
  operator.quote = priced({});
  const conversation = await open();
  const days = await conversation.read({ check_in_month: '2027-04', view: 'compact' });
  assert.ok(days.body.available_requests.length <= 12);
  const checkOuts = await conversation.read({
    check_in_day: '2027-04-10',
    destination: 'lisbon-pt',
    view: 'compact',
  });
  const { shown, total, url_template } = checkOuts.body.available_requests_truncated;
  assert.equal(shown, 12);
  assert.equal(total, 160);
  assert.equal(checkOuts.body.allowed_values.check_out.length, 60);
  assert.deepEqual(checkOuts.body.allowed_values_truncated, { check_out: { shown: 60, total: 160 } });
  const step = await service.get(fill(url_template, { value: '2027-04-13' }));
  for (const { url } of step.body.available_requests) assert.match(url, /&view=compact$/);
  const result = await service.get(step.body.available_requests[0].url);
  assert.equal(result.body.view, 'compact');
  for (const option of result.body.results) assert.deepEqual(option.images.gallery, []);
  const full = await conversation.result();
  assert.ok(full.body.results[0].images.gallery.length > 0);
  const compact = await service.get(`/ai/v1/result?session=${conversation.token}&view=compact`);
  assert.equal(compact.raw, result.raw, 'the same bytes whichever endpoint returns them');
  const members = Object.keys(full.body);
  assert.ok(members.indexOf('available_requests') < members.indexOf('results'));
  assert.ok(members.indexOf('comparison_set') < members.indexOf('results'));
});

test('every example of a whole stay gives a result as it stands, on any day', async (t) => {
  const { service, open } = await setScene(t, {
    brands: {
      acme: ACME,
      harbour: {
        properties: [property('h', { place: 'porto-pt' })],
        entry: { single_location: 'porto-pt' },
      },
    },
  });
  const givesOptions = async (url: string) => {
    const { body } = await service.get(url);
    assert.equal(body.object, 'search_result', `${url}: ${JSON.stringify(body.message)}`);
    assert.ok(body.comparison_set.options_count > 0);
    assert.equal('refusals' in body, false, url);
  };
  for (const days of [0, 40]) {
    service.time.now += days * 86_400_000;
    for (const source of [null, 'acme', 'harbour']) {
      const conversation = await open(source);
      const [, values] = /for example with (\S+)\. /.exec(conversation.opened.body.hint) ?? [];
      assert.ok(values, conversation.opened.body.hint);
      await givesOptions(`${conversation.address()}&${values}`);
      for (const accept of ['text/html', 'text/markdown', 'application/json']) {
        const { raw } = await service.get(source === null ? '/' : `/?source=${source}`, { accept });
        const addresses = raw.replaceAll('&amp;', '&').match(/\/ai\/v1\/search\?session=[^\s"'<`]*/g) ?? [];
        const examples = addresses.filter((address) => /check_in_day=\d/.test(address));
        assert.ok(examples.length > 0, `${accept} has an example`);
        for (const example of examples) {
          const { token } = await open(source);
          await givesOptions(example.replace(/session=\{?\w+\}?/, `session=${token}`));
        }
      }
    }
  }
});

test('the example in the schema gives a result as it stands', async (t) => {
  const { service, open } = await setScene(t);
  const { example } = (await service.get('/ai/v1/schema')).body.whole_stay;
  const { body } = await service.get(example.replace('{session}', (await open()).token));
  assert.equal(body.object, 'search_result', JSON.stringify(body.message));
  assert.ok(body.comparison_set.options_count > 0);
});

test('a word for an amenity that no match has leads to the one that comes nearest', async (t) => {
  const { open } = await setScene(t, {
    brands: {
      acme: {
        properties: [
          property('a', { amenities: { wifi: 'Wi-Fi' } }),
          property('b', { amenities: { wifi: 'Wi-Fi', step_free: 'Step-free access' } }),
        ],
      },
    },
  });
  const conversation = await open();
  const { body: whole } = await conversation.send({ ...STAY, amenities: 'wheelchair' });
  assert.deepEqual(whole.refusals[0].suggestions, ['step_free']);
  for (const word of ['wheelchair', 'accessible', 'Wheelchair accessible', 'barrier-free']) {
    const { body } = await conversation.send({ amenities: word });
    assert.equal(body.error, 'invalid_value', word);
    assert.deepEqual(body.reason, { code: 'not_on_network', next_best: ['step_free'] }, word);
    assert.match(body.message, /Nearest to it of what they publish, but not the same: step_free\. Ask/);
    assert.deepEqual([body.suggestions, body.next_request.value], [['step_free'], 'step_free'], word);
  }
});

test('a place is found by its everyday name, and suggested for what is near it in any script', async (t) => {
  const places = PLACES.map((place) =>
    place.id === 'lisbon-pt' ? { ...place, name: 'Greater Lisbon', aliases: ['里斯本'] } : place,
  );
  const { open } = await setScene(t, { network: { places }, brands: { acme: ACME } });
  for (const text of ['the Lisbon', 'Lisbon', 'Lisbon, Portugal']) {
    const { body } = await (await open()).send({ destination: text });
    assert.equal(body.received?.destination, 'lisbon-pt', text);
  }
  for (const text of ['near Lisbon', '近く里斯本', '里斯本附近']) {
    const { body } = await (await open()).send({ destination: text });
    assert.deepEqual([body.reason?.code, body.suggestions?.[0]], ['not_on_network', 'lisbon-pt'], text);
  }
});

test('the length of a stay stands for its departure, once the arrival is known', async (t) => {
  const { service, open } = await setScene(t);
  const { check_out: departure, ...arrival } = WHOLE_STAY;
  const departureOf = async (...requests: readonly Record<string, unknown>[]) => {
    const conversation = await open();
    let answer = await conversation.read({});
    for (const request of requests) answer = await conversation.send(request);
    return answer.body.query?.check_out ?? answer.body.received?.check_out;
  };
  for (const nights of [3, '3', '03']) {
    assert.equal(await departureOf({ ...arrival, nights }), departure);
    assert.equal(await departureOf(arrival, { nights }), departure);
    assert.equal(await departureOf({ ...WHOLE_STAY, nights }), departure, 'it may agree with the departure');
    assert.equal(await departureOf({ ...arrival, field: 'nights', value: nights }), departure);
  }
  const conversation = await open();
  const byGet = await conversation.read({ ...arrival, nights: '3' });
  assert.equal(byGet.body.query?.check_out, departure, byGet.raw);

  const { body: called } = await sendToMcp(
    await service.listen(),
    toolMessage('search_stays', { ...arrival, nights: 3 }),
  );
  assert.equal(called.result?.structuredContent.comparison?.check_out, departure, JSON.stringify(called));

  const changed = await conversation.send({ nights: 4 });
  assert.equal(changed.body.query?.check_out, '2027-04-14');
});

test('a length of stay that cannot be counted is refused with what it needs', async (t) => {
  const { open } = await setScene(t);
  const { check_in_day: _, check_out: __, ...without } = WHOLE_STAY;
  const said = /nights counts from check_in_day/;
  for (const request of [
    { ...without, nights: 3 },
    { ...WHOLE_STAY, nights: 5 },
    { check_in_day: 'soon', nights: 3 },
    { check_in_day: '2027-04-10', nights: 'a week' },
    { check_in_day: '2027-04-10', nights: 0 },
  ]) {
    const { body } = await (await open()).send(request);
    const refusals = body.refusals ?? [body, ...(body.other_refusals ?? [])];
    const messages = refusals.map((one: { message: string }) => one.message);
    assert.ok(
      messages.some((message: string) => said.test(message)),
      JSON.stringify(messages),
    );
  }
  // Under another name the arrival is refused, and both dates are offered at once.
  const { body } = await (await open()).send({ ...without, check_in: '2027-04-10', nights: 3 });
  assert.equal(body.did_you_mean ?? body.other_refusals?.[0].did_you_mean, 'check_in_day');
  assert.match(body.next_request.url, /check_in_day=2027-04-10.*check_out=2027-04-13/);
});

function fill(template: string, values: Record<string, string>): string {
  const filled = template.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name] ?? ''));
  // What is not known is left out.
  return filled.replace(/&\w+=(?=&|$)/g, '');
}
