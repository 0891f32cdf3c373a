import assert from 'node:assert/strict';
import type { OperationName } from '../../../src/contract/operations.ts';
import { createInProcessTransport } from '../../requests/in-process-transport.ts';
import { STAY } from '../../support/conversation.ts';
import { MEMBERS, sessionFor } from '../conversations.ts';
import type { FuzzTarget } from '../fuzz-target.ts';
import type { InputRandom } from '../input-random.ts';
import { mutatedJson } from '../mutate-json.ts';
import { oddText, oddValue } from '../odd-values.ts';
import { startStillService } from '../still-network.ts';

const NAMES: readonly OperationName[] = [
  'openSession',
  'search',
  'search',
  'search',
  'readResult',
  'readSchema',
  'readTerms',
];
const CALLER = { assistant: 'local', address: '127.0.0.1' };

/** Calls that come through a transport without HTTP, with values that no JSON can carry. */
export const operations: FuzzTarget = {
  name: 'operations',
  weight: 10,
  maxCpuMs: 50,
  inputsPerOpening: 2000,
  async open() {
    const service = await startStillService();
    const transport = createInProcessTransport({ serveOperation: service.serveOperation, caller: CALLER });
    return {
      async run(random, timed) {
        const token = random.oneIn(6) ? oddText(random) : await sessionFor(service, random);
        const [name, values] = [random.pick(NAMES), valuesFrom(random)];
        const options = {
          ...(random.oneIn(6) ? {} : { token }),
          ...(random.oneIn(3) ? { key: oddText(random) } : {}),
          ...(random.oneIn(8) ? { version: oddText(random) } : {}),
          ...(random.oneIn(8) ? { view: random.pick(['compact', 'full', oddText(random)]) } : {}),
        };
        const { error, body } = await timed(() => transport.call(name, values, options));
        assert.notEqual(error, 'internal_error', service.logLines.join(''));
        assert.equal(typeof body, 'object');
        service.logLines.length = 0;
      },
      close: () => service.close(),
    };
  },
};

function valuesFrom(random: InputRandom): object {
  if (random.oneIn(2)) {
    const values = mutatedJson(STAY, random);
    return typeof values === 'object' && values !== null ? values : {};
  }
  return Object.fromEntries(
    Array.from({ length: 1 + random.integer(3) }, () => [
      random.pick(MEMBERS),
      random.pick([oddValue(random), Number.NaN, Number.NEGATIVE_INFINITY, undefined, new Date(Number.NaN)]),
    ]),
  );
}
