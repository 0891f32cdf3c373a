import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The wall clock can be stepped, so it is read only for what is shown, stored or compared with dates. Waits, ages and windows
 * are measured by `elapsed`.
 */
const READS_THE_WALL_CLOCK: Readonly<Record<string, string>> = {
  'src/clock.ts': 'the system’s clocks',
  'src/access/published/followed-document.ts':
    'when a document was confirmed, which outlives the process, and when it last failed, which is shown',
  'src/access/published/published-documents.ts': 'from when to when a key holds, as its publisher dates it',
  'src/access/web-bot-auth/create-signature-verifier.ts':
    'whether a signature has begun or expired, which its signer dates',
  'src/console/build-console.ts': 'when somebody signed in or out, in the audit log',
  'src/console/change-routes.ts': 'when something was changed, in the audit log',
  'src/console/console-script.ts': 'tells people when figures were updated',
  'src/console/report-routes.ts': 'the days that a page shows',
  'src/cli/check-brand.ts': 'the stay that a check asks for',
  'src/cli/try/ask-field.ts': 'marks today in the month from which a day is chosen',
  'src/access/registry/change-registry.ts': 'when an assistant was approved or suspended, in its history',
  'src/cli/commands/feeds.ts': 'until when losses are confirmed, which is stored',
  'src/cli/commands/import.ts': 'the day to which the dates of a city are moved',
  'src/cli/commands/report.ts': 'the days that a report is about, and how old a stored reading is',
  'src/analytics/reports/create-reports.ts':
    'which day is today, which sessions have ended, and how old readings are',
  'src/cli/commands/outcomes/import.ts': 'when bookings were reported, which is stored',
  'src/cli/commands/sync.ts': 'the days that the index holds',
  'src/analytics/activity-recorder.ts': 'when a batch was made, which its store keeps',
  'src/analytics/record-searches.ts':
    'the time since a session was opened, which may have been on another node, and the days until an arrival',
  'src/analytics/sums.ts': 'the hour in which something is counted',
  'src/telemetry/audit/audit-log.ts': 'the days of its files, and when a record was written',
  'src/telemetry/audit/audit-recorder.ts': 'when refusals were summed up',
  'src/telemetry/audit-requests.ts': 'when a request was answered, in the audit log',
  'src/app/open-audit.ts': 'when the service started and stopped, in the audit log',
  'src/mcp/card/page/main.ts': 'whether the prices that a page shows still hold',
  'src/availability/snapshot/open-index.ts': 'the days that the index holds',
  'src/outbound/key-directory.ts': 'when the directory was signed, which is shown',
  'src/outbound/request-signer.ts': 'when a request was signed, which is shown',
  'src/http/app.ts': 'when a rate window ends, in a header',
  'src/http/serve-mounted.ts': 'when a rate window ends, in a header',
  'src/mcp/mcp-transport.ts': 'whether cancelling is still free',
  'src/mcp/serve-stdio.ts': 'whether cancelling is still free',
  'src/requests/serve-operation.ts': 'whether a session has ended, and when a rate window does, in a header',
  'src/app/request-handler.ts': 'example stays in the documents',
  'src/app/request-handler.worker.ts': 'the days that the index holds',
  'src/app/request-threads.ts': 'the stay that the greeting names, and when a thread ended, in the audit log',
  'src/app/search-engine.ts': 'the days that the index holds',
  'src/threads/route-operations.ts': 'when a rate window ends, in a header',
  'src/telemetry/log.ts': 'the time of a log line',
  'src/telemetry/observers.ts': 'the gauge of when a brand was read last',
  'src/storage/postgres/activity-store.ts': 'which counts are old, compared with the server’s clock',
  'src/storage/redis/server-state.ts': 'how far the clock of a node is from that of Redis',
  'src/storage/postgres/booking-outcomes.ts': 'which bookings are old, compared with the server’s clock',
  'src/storage/sqlite/used-nonces.ts': 'when a used nonce ends, which outlives the process',
  'src/analytics/bookings/collect-outcomes.ts':
    'when bookings were reported, and since when they are asked for',
  'src/connectors/open/read-bookings.ts': 'whether a booking is dated in the future',
  'src/connectors/shared/account/access-token.ts': 'when a token was issued, which outlives the process',
  'src/connectors/shared/account/lasting-budget.ts': 'when a budget was stored, which outlives the process',
  'src/limits/request-budget.ts': 'tells people when an account can be used again',
  'src/connectors/shared/account/account-client.ts': 'a Retry-After that names a date',
  'src/connectors/beds24/beds24-conventions.ts': 'a Retry-After that names a date',
  'src/connectors/guesty/guesty-conventions.ts':
    'a pause that ends at a time of day, in a header of the vendor',
  'src/connectors/hostaway/hostaway-booking-system.ts':
    'a pause that ends at a time of day, in a header of the vendor',
  'src/connectors/shared/brand-terms.ts': 'when a price was retrieved and how long it is held',
  'src/connectors/imported/imported-booking-system.ts':
    'today at the property, and when a price was retrieved',
  'src/connectors/check-protocol.ts': 'the stays that a check asks for',
  'src/connectors/protocol-check/ask-for-quotes.ts': 'whether a hold has ended',
  'src/connectors/protocol-check/check-quotes.ts': 'how long a hold lasts',
  'src/outbound/fetch-published.ts': 'a Retry-After that names a date',
  'src/connectors/icalendar/availability-feeds.ts':
    'the nights that are over, and since when a loss is doubted, which is stored',
  'src/connectors/icalendar/silent-origins.ts': 'a Retry-After that names a date',
  'src/connectors/bookingsync/bookingsync-booking-system.ts':
    'when the vendor’s window ends, which its header names as a date',
  'src/connectors/lodgify/lodgify-booking-system.ts': 'a pause that the vendor may name as a date',
  'src/connectors/lodgify/read-catalogue.ts':
    'when a policy was read, which is stored, and the day of a sample stay',
  'src/connectors/shared/documents/latest-document.ts': 'when a price was retrieved',
  'src/connectors/qloapps/qloapps-catalogue.ts': 'days ahead, for which rooms are looked at',
  'src/connectors/qloapps/qloapps-booking-system.ts': 'a Retry-After that names a date',
  'src/connectors/rate-card/rate-card-booking-system.ts': 'today at the property',
  'src/quotes/ask-operator.ts': 'when an answer came, which holds are compared with',
  'src/quotes/circuit-breaker.ts': 'whether the stay of an answered question is over',
  'src/search/complete-search.ts':
    'today at the property, and when operators can be asked again, which is shown',
  'src/search/open-session.ts': 'when a session ends',
  'src/search/quote-step.ts':
    'whether a session has ended meanwhile, and when operators can be asked again, which is stored',
  'src/search/read-result.ts':
    'today at the property, and when operators can be asked again, which is stored',
  'src/search/take-in-turn.ts': 'whether a session has ended',
  'src/search/take-step.ts': 'today at the property',
  'src/sessions/delete-expired.ts': 'which stored sessions have ended',
  'src/sessions/delete-old.ts': 'which quotes, counts and bookings are old',
  'src/sync/brand-progress.ts': 'when a brand was read last, in its status and its record',
  'src/sync/brand-record.ts': 'when the record of a brand was saved, which other nodes compare',
  'src/sync/brand-sync.ts': 'how long ago what another node has recorded was',
  'src/sync/date-follower.ts': 'the full minute, on which a day may begin somewhere',
  'src/sync/offer-follower.ts': 'how old the calendars are that another node has stored',
  'src/sync/operator-controls.ts': 'when the owner has decided something about a brand, for all nodes',
  'src/sync/read-calendars.ts': 'the first day of a calendar, and when it was read, for the store',
  'src/sync/refresh-brand.ts':
    'since when a booking system is asked for changes, and when it was read, in the report',
  'src/sync/synchroniser.ts': 'how old the stored calendars are',
};

/** A call, the method handed on, or both clocks at once. */
const WALL_CLOCK = /(?:[cC]lock|\bDate)\.now\b|\bnew Date\(\)|\btimeOn\(/;
const TIMER = /\bset(?:Timeout|Interval)\(|\bperformance\.now\b|\bprocess\.(?:hrtime|uptime)\b/;

const sources = globSync('src/**/*.ts', { cwd: ROOT })
  .filter((file) => !/\.(test|contract|generated)\.ts$/.test(file))
  .map((file) => ({ file, code: readFileSync(join(ROOT, file), 'utf8') }));

describe('time', () => {
  it('is read from the wall clock only where a reason is given', () => {
    const found = sources.filter(({ code }) => WALL_CLOCK.test(code)).map(({ file }) => file);
    const reasons = new Set(Object.keys(READS_THE_WALL_CLOCK));
    assert.deepEqual(
      {
        withoutReason: found.filter((file) => !reasons.has(file)),
        needless: [...reasons].filter((file) => !found.includes(file)),
      },
      { withoutReason: [], needless: [] },
      'give the reason in READS_THE_WALL_CLOCK of test/documents/wall-clock.test.ts, or use clock.elapsed()',
    );
  });

  it('comes from the clock that is handed in, and from nowhere else', () => {
    const system = /\bDate\.now\b|\bnew Date\(\)/;
    const found = sources.filter(({ code }) => TIMER.test(code) || system.test(code)).map(({ file }) => file);
    // A page runs in a browser and the client elsewhere, where there is no clock of ours. The last looks after its own process,
    // before there is a service, and must not keep it alive.
    assert.deepEqual(found.sort(), [
      'src/client/platform.ts',
      'src/clock.ts',
      'src/console/console-script.ts',
      'src/mcp/card/page/main.ts',
      'src/app/when-npm-ends.ts',
    ]);
  });
});
