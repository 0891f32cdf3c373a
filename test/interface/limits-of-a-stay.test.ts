import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDay } from '../../src/stay/day.ts';
import { property, TODAY } from '../support/network.ts';
import { setScene } from '../support/scene.ts';

const available = { from: formatDay(TODAY), to: formatDay(TODAY + 200), available: true, price: '50.00' };

test('a limit beyond the horizon is no fault: a long maximum does not bind, a long minimum lets no stay arrive', async (t) => {
  const { service, open } = await setScene(t, {
    brands: {
      acme: {
        properties: [
          property('long', {}, [{ ...available, minimum_stay: 1, maximum_stay: 1125 }]),
          property('longer', {}, [{ ...available, maximum_stay: 2_147_483_647 }]),
          property('never', {}, [{ ...available, minimum_stay: 1125 }]),
          property('wraps', {}, [{ ...available, minimum_stay: 65_537 }]),
        ],
      },
    },
  });
  const { body } = await (await open()).search();
  assert.deepEqual(body.results.map(({ property_id: id }: { property_id: string }) => id).sort(), [
    'acme:long',
    'acme:longer',
  ]);
  assert.ok(!service.logLines.some((line) => line.includes('held back')));
});

test('a calendar that cannot be read is logged with its period, its rule and its value', async (t) => {
  const { service } = await setScene(t, {
    brands: {
      acme: {
        properties: [
          property('good'),
          property('bad', {}, [available, { ...available, minimum_stay: 0, from: formatDay(TODAY + 200) }]),
        ],
      },
    },
  });
  const line = service.logLines.find((text) => text.includes('held back'));
  assert.deepEqual(JSON.parse(line ?? '{}').listings, [
    {
      reference: 'bad',
      field: 'calendar/periods/1/minimum_stay',
      rule: 'out_of_range',
      reason: 'periods[1] (2027-09-17 to 2027-09-17): minimum_stay is 0, must be a whole number, at least 1',
    },
  ]);
});
