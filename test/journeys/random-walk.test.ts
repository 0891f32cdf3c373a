import { test } from 'node:test';
import fc from 'fast-check';
import { walkToTheEnd } from '../support/guided-walk.ts';
import { brandEntry, networkFile } from '../support/network.ts';
import { casesOverNodes } from '../support/property-cases.ts';
import { randomProperties } from '../support/random-properties.ts';
import { startScriptedOperator } from '../support/scripted-operator.ts';
import { startTestService } from '../support/test-service.ts';
import { quoteTruthfully } from '../support/truthful-operator.ts';

const CITIES = ['lisbon-pt', 'porto-pt', 'evora-pt'];

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
    { numRuns: casesOverNodes(40) },
  );
});
