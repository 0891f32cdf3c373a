import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { inspect } from 'node:util';
import { BookingSystemFailure } from '../../src/limits/booking-system-failure.ts';
import type { QuoteOutcome } from '../../src/quotes/booking-system.ts';
import type { Emulator } from '../emulators/emulator.ts';
import { FAULT_KINDS } from '../emulators/faults.ts';
import { aHome } from '../emulators/homes.ts';
import { converse } from '../support/conversation.ts';
import { NOON } from '../support/network.ts';
import { openSqliteIn, temporaryDirectory } from '../support/temporary-storage.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { connectVendorFor, credentialNamesOf, networkOn, WIDE_LIMITS } from './connected-vendor.ts';
import { HORIZON, patient } from './usual-request.ts';
import { TODAY } from './vendor-clock.ts';
import { type EmulatedVendorSystem, VENDORS } from './vendors.ts';
import { verdictOf } from './verdict.ts';

const HOUR_MS = 3_600_000;
const homes = [1, 2, 3].map((id) => aHome({ id }));
const SEARCH = {
  destination: 'lisbon',
  check_in_month: '2027-04',
  check_in_day: '2027-04-10',
  check_out: '2027-04-13',
  guests: '2',
};
const withTokens = VENDORS.filter(({ hasTokens }) => hasTokens);

async function connected(t: TestContext, vendor: EmulatedVendorSystem) {
  const connection = await connectVendorFor(t, vendor, { homes });
  const references = homes.map(({ id }) => connection.emulator.referenceOf(id));
  const stay = (arrival: number) => ({
    references,
    checkIn: TODAY + arrival,
    checkOut: TODAY + arrival + 3,
    guests: 2,
    currency: 'EUR',
  });
  return { ...connection, references, stay };
}

function areQuoted(outcomes: readonly QuoteOutcome[]): boolean {
  return outcomes.length === homes.length && outcomes.every(({ kind }) => kind === 'quoted');
}

/** What must be found nowhere: identifiers of clients and accounts are no secrets. */
function secretsOf(emulator: Emulator): readonly string[] {
  const given = Object.entries(emulator.credentials).filter(([name]) => !name.endsWith('_id'));
  const all = [...given.map(([, secret]) => secret), ...emulator.secretsShown()];
  return [...new Set(all)];
}

/** With a slip of the pen in every secret. */
function mistyped({ credentials }: Emulator): Readonly<Record<string, string>> {
  const written = Object.entries(credentials).map(([name, secret]) => [
    name,
    name.endsWith('_id') ? secret : `${secret}x`,
  ]);
  return Object.fromEntries(written);
}

/** For work that waits for time: some vendors want a new token to be left alone for a second. */
async function whileTimePasses<T>({ time }: TestService, work: Promise<T>): Promise<T> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  work.then(over, over);
  for (; !isOver; await new Promise((resolve) => setTimeout(resolve, 10))) await time.pass(100);
  return work;
}

function assertHoldsNone(place: string, text: string | Buffer, secrets: readonly string[]): void {
  for (const secret of secrets) {
    for (const [form, written] of [
      ['as it is', secret],
      ['in base64', Buffer.from(secret).toString('base64').replace(/=+$/, '')],
      ['in hexadecimal digits', Buffer.from(secret).toString('hex')],
      ['backwards', [...secret].reverse().join('')],
    ] as const) {
      assert.ok(!text.includes(written), `${place} holds ${secret} ${form}`);
    }
  }
}

for (const vendor of withTokens) {
  describe(`the token of an account at ${vendor.name}`, () => {
    it('is renewed once when it ends in the middle, however many calls need it, and nobody notices', async (t) => {
      const { system, emulator, clock, references, stay, reconnect } = await connected(t, vendor);
      await system.catalogue(patient);
      clock.skip(HOUR_MS);
      emulator.expireTokens();
      const [catalogue, calendars, ...prices] = await Promise.all([
        system.catalogue(patient),
        system.calendars(references, HORIZON, patient),
        ...Array.from({ length: 8 }, (_, index) => system.quote(stay(3 + index), patient)),
      ]);
      assert.equal(catalogue.properties.length, homes.length);
      assert.ok([...calendars.values()].every(({ kind }) => kind === 'valid'));
      assert.ok(prices.every(areQuoted), JSON.stringify(prices));
      assert.equal(emulator.tokensIssued(), 2);
      assert.ok(areQuoted(await reconnect().quote(stay(3), patient)));
      assert.equal(emulator.tokensIssued(), 2, 'the new one is kept too');
    });
  });
}

for (const vendor of VENDORS) {
  describe(`the secrets of an account at ${vendor.name}`, () => {
    it('are named when they are not accepted, and not shown', async (t) => {
      const { emulator, reconnect, stay } = await connected(t, vendor);
      const wrong = mistyped(emulator);
      const system = reconnect({ credentials: wrong });
      await assert.rejects(system.catalogue(patient), (error) => {
        assert.ok(error instanceof BookingSystemFailure);
        assert.equal(error.kind, 'rejected');
        const named = /^(\w+) does not accept the (.+) of the account test\b/.exec(error.message);
        assert.equal(named?.[1], vendor.name);
        assert.deepEqual(named?.[2]?.split(/, | and /), credentialNamesOf(vendor));
        const text = inspect(error, { depth: null, showHidden: true, maxStringLength: null });
        assertHoldsNone('the failure', text, secretsOf({ ...emulator, credentials: wrong }));
        return true;
      });
      const outcomes = await system.quote(stay(3), patient);
      assert.deepEqual(new Set(outcomes.map(verdictOf)), new Set(['rejected']));
    });

    it('are in no failure, whatever the vendor answers', async (t) => {
      const { emulator, clock, reconnect } = await connected(t, vendor);
      const place = vendor.hasTokens ? 'token' : 'catalogue';
      let failures = 0;
      for (const fault of FAULT_KINDS.filter((kind) => kind !== 'slow' && kind !== 'drip_fed')) {
        const system = reconnect();
        // Tokens of which a vendor issues a few in a day are not asked for more often.
        clock.skip(24 * HOUR_MS);
        emulator.expireTokens();
        emulator.setFault(fault, place);
        const ending = new AbortController();
        const work = system.catalogue(ending.signal).catch((error: unknown) => error);
        // A vendor that takes no more is asked again after its pause.
        if (fault === 'rate_limited') {
          while (emulator.budget.refused === 0) await new Promise((resolve) => setTimeout(resolve, 2));
          ending.abort();
        }
        const failure = await work;
        if (!(failure instanceof BookingSystemFailure)) continue;
        failures += 1;
        const text = inspect(failure, { depth: null, showHidden: true, maxStringLength: null });
        assertHoldsNone(`the failure after ${fault}`, text, secretsOf(emulator));
      }
      assert.ok(failures >= 8, `${failures} calls failed`);
    });

    it('are in no log line, no metric, no answer and no file of the store, and the token outlives the service', async (t) => {
      const directory = temporaryDirectory(t);
      let service: TestService | undefined;
      const now = () => service?.time.now ?? NOON;
      const emulator = await vendor.start({ homes, limits: WIDE_LIMITS, now });
      t.after(() => emulator.close());
      const { file, env } = networkOn({ harbor: { vendor, emulator } });

      async function serve(): Promise<TestService> {
        const storage = await openSqliteIn(directory);
        const started = await startTestService({
          network: file,
          env,
          storage,
          now: now(),
          waitForStart: false,
        });
        service = started;
        await whileTimePasses(started, started.nextRefresh('harbor'));
        return started;
      }

      const texts: string[] = [];
      const running = await serve();
      const search = async () => {
        const answer = await (await converse(running)).send(SEARCH);
        texts.push(answer.raw);
        return answer.body;
      };
      assert.equal((await search()).object, 'search_result');
      for (const [fault, place] of [
        ['error_500', 'quote'],
        ['html_error_page', 'quote'],
        ['expired_token', 'quote'],
        ['connection_reset', 'all'],
        ['truncated_json', 'all'],
      ] as const) {
        emulator.setFault(fault, place);
        await whileTimePasses(running, search());
        await running.time.pass(HOUR_MS / 4);
      }
      emulator.setFault(null);
      texts.push(...running.logLines, await running.metrics.render());
      await running.close();
      const issued = emulator.tokensIssued();

      const secrets = secretsOf(emulator);
      assert.ok(secrets.length >= (vendor.hasTokens ? 2 : 1), secrets.join());
      assert.ok(running.logLines.length > 5);
      assertHoldsNone('what the service says', texts.join('\n'), secrets);
      const files = readdirSync(directory);
      assert.ok(files.length > 0);
      for (const name of files) assertHoldsNone(name, readFileSync(join(directory, name)), secrets);

      const again = await serve();
      t.after(() => again.close());
      assert.equal(emulator.tokensIssued(), issued, 'yet it is stored');
    });
  });
}
