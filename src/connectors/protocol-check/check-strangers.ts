import { type Day, formatDay } from '../../stay/day.ts';
import { type CallPath, type CallServer, methodOf } from './call-server.ts';
import { PROTOCOL_RULES } from './protocol-rules.ts';
import { UNKNOWN_PROPERTY } from './unknown-property.ts';
import type { VerdictCollector } from './verdict.ts';

/** Whether the server answers anybody: each call without the token, and with another one. */
export async function checkStrangers(
  server: CallServer,
  collector: VerdictCollector,
  {
    token,
    today,
    paths,
  }: {
    readonly token: string | null;
    readonly today: Day;
    /** The calls that the server has. */
    readonly paths: readonly CallPath[];
  },
): Promise<void> {
  if (token === null) return collector.skip('authorisation', 'no token was given');
  collector.begin('authorisation');
  const [from, to] = [formatDay(today + 30), formatDay(today + 32)];
  const properties = [UNKNOWN_PROPERTY];
  const bodies: Readonly<Record<CallPath, unknown>> = {
    '/catalogue': undefined,
    '/calendars': { properties, from, nights: 2 },
    '/bookings': undefined,
    '/quotes': { properties, check_in: from, check_out: to, guests: 1, currency: 'EUR' },
  };
  let answers = 0;
  for (const path of paths) {
    for (const [stranger, whose] of [
      [null, 'without the token'],
      // As long as the server's own, so that a comparison by length shows too.
      ['x'.repeat(token.length), 'with another token'],
    ] as const) {
      const status = await server.statusFor(path, bodies[path], stranger);
      if (status !== null) answers += 1;
      if (status === null || status === 401) continue;
      const rule = status < 400 ? 'open_to_strangers' : 'other_refusal';
      collector.fault('authorisation', {
        place: `${methodOf(path)} ${path} ${whose}`,
        rule,
        found: `the status ${status}`,
        ...PROTOCOL_RULES[rule],
        milliseconds: null,
        isWarning: rule === 'other_refusal',
      });
    }
  }
  if (answers === 0) collector.skip('authorisation', 'the server did not answer');
}
