import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, describe } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openLoopbackClient } from '../../../test/support/loopback-client.ts';
import { plainContext } from '../../../test/support/plain-listing.ts';
import { bookingSystemContract } from '../../quotes/booking-system.contract.ts';
import { parseDay } from '../../stay/day.ts';
import { createInlineIntake } from '../shared/intake/run-task.ts';
import { createOpenBookingSystem } from './connector.ts';

const EXAMPLE = fileURLToPath(new URL('../../../docs/examples/open-operator.mjs', import.meta.url));
const TOKEN = 'a-token-for-the-test';
const day = (text: string) => parseDay(text) ?? Number.NaN;

describe('a process for the documented example', () => {
  let example: ChildProcess;
  let baseUrl = '';

  before(async () => {
    example = spawn(process.execPath, [EXAMPLE], {
      env: { PORT: '0', OPERATOR_TOKEN: TOKEN },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (!example.stdout) throw new Error('the example has no output');
    const [line] = await once(example.stdout, 'data');
    baseUrl = String(line).trim().split(' ').at(-1) ?? '';
  });
  after(async () => {
    example.kill();
    await once(example, 'exit');
  });

  const newSystem = () =>
    createOpenBookingSystem({
      connection: { baseUrl, token: TOKEN, limits: { batchSize: 20, concurrency: 4, timeoutMs: 4000 } },
      context: plainContext,
      openClient: openLoopbackClient,
      intake: createInlineIntake(plainContext),
      clock: { now: () => Date.UTC(2027, 5, 1) },
    });

  bookingSystemContract('the documented example of an operator’s server', {
    newSystem: async () => ({
      system: newSystem(),
      reference: 'casa-1',
      currency: 'EUR',
      maxGuests: 4,
      horizon: { from: day('2027-08-01'), nights: 60 },
      free: { checkIn: day('2027-08-20'), checkOut: day('2027-08-24') },
      taken: { checkIn: day('2027-08-08'), checkOut: day('2027-08-12') },
      release: async () => undefined,
    }),
  });
});
