import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { converse } from '../support/conversation.ts';
import { brandEntry, networkFile, property } from '../support/network.ts';
import { plainRates } from '../support/plain-listing.ts';
import { plainServer, sendJson } from '../support/plain-server.ts';
import { startScriptedOperator } from '../support/scripted-operator.ts';
import { startTestService } from '../support/test-service.ts';

const HOMES = Array.from({ length: 60 }, (_, at) => `casa-${at}`);
const CALENDAR = 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n';
const MINUTE_MS = 60_000;
const GIVE_UP_MS = 60_000;

/** An honest operator, which limits its callers, and one whose rate card names five feeds of each home on a server. */
async function startBoth(t: TestContext, feedsAt: (honestOrigin: string) => string) {
  const honest = await startScriptedOperator();
  honest.properties = [property('a'), property('b')];
  let feedRequests = 0;
  honest.misbehave = (path, response) => {
    if (path.endsWith('.ics')) feedRequests += 1;
    if (feedRequests < 30) return false;
    response.writeHead(429).end();
    return true;
  };
  const feedsOrigin = feedsAt(honest.origin);
  const card = await plainServer((_, response) =>
    sendJson(response, {
      properties: HOMES.map((reference) => ({
        listing: property(reference).listing,
        rates: plainRates,
        booked: [],
        availability_feeds: [1, 2, 3, 4, 5].map((feed) => `${feedsOrigin}/${reference}/${feed}.ics`),
      })),
    }),
  );
  const service = await startTestService({
    network: {
      ...networkFile([
        brandEntry('honest', honest.origin),
        {
          ...brandEntry('other', ''),
          booking_system: {
            kind: 'rate-card',
            url: `${card.url}/card.json`,
            feed_hosts: [new URL(feedsOrigin).host],
          },
        },
      ]),
      refresh_seconds: 60,
    },
    waitForStart: false,
  });
  t.after(async () => {
    await service.close();
    await Promise.all([honest.close(), card.close()]);
  });
  /** In small steps, between which answers of servers arrive. */
  const pass = async (milliseconds: number) => {
    for (const end = service.time.now + milliseconds; service.time.now < end; ) {
      await service.time.pass(500);
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const healthOf = async (id: string) => (await service.operators.health()).find(({ brand }) => brand === id);
  /** Stores and threads answer in their own time, whatever the test clock says. */
  const untilTrue = async (what: string, isSo: () => Promise<boolean>) => {
    const givesUpAt = performance.now() + GIVE_UP_MS;
    while (!(await isSo())) {
      assert.ok(performance.now() < givesUpAt, `not within ${GIVE_UP_MS} ms: ${what}`);
      await pass(500);
    }
  };
  return { service, pass, healthOf, untilTrue, feedRequests: () => feedRequests };
}

describe('feeds of a rate card', () => {
  it('on the booking server of another brand are not asked for, and that brand keeps its prices', async (t) => {
    const { service, pass, healthOf, untilTrue, feedRequests } = await startBoth(
      t,
      (honestOrigin) => honestOrigin,
    );
    await pass(2 * MINUTE_MS);
    await untilTrue('both brands are read', async () => {
      const [honest, other] = await Promise.all([healthOf('honest'), healthOf('other')]);
      return honest?.homes === 2 && (other?.rejections.length ?? 0) > 0;
    });
    assert.equal(feedRequests(), 0);
    const conversation = await converse(service);
    const { body } = await conversation.search();
    assert.deepEqual(body.comparison_set.selection, { matches: 2, priced: 2, shown: 2, complete: true });
    const other = await healthOf('other');
    assert.deepEqual(new Set(other?.rejections.map(({ rule }) => rule)), new Set(['feed_unreadable']));
    assert.equal(other?.homes, 0);
  });

  it('on a host that answers 429 are not asked for until the time it names is over', async (t) => {
    let answer = 429;
    const channel = await plainServer((_, response) =>
      answer === 200
        ? response.writeHead(200, { 'content-type': 'text/calendar' }).end(CALENDAR)
        : response.writeHead(answer, { 'retry-after': '240' }).end(),
    );
    t.after(() => channel.close());
    const { pass, healthOf, untilTrue } = await startBoth(t, () => channel.url);
    await untilTrue('it is asked', async () => channel.requests.length > 0);
    await pass(3.5 * MINUTE_MS);
    const asked = channel.requests.length;
    assert.ok(asked <= 3, `asked ${asked} times`);
    answer = 200;
    await untilTrue(
      'homes are on offer',
      async () => channel.requests.length > asked + 20 && ((await healthOf('other'))?.homes ?? 0) > 0,
    );
  });
});
