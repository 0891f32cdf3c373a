import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Intake, IntakeOrder } from '../connectors/shared/intake/intake.ts';
import { discoveringIntake } from './discover-listings.ts';

const idle = { run: () => Promise.resolve({}), close: () => Promise.resolve() } as unknown as Intake;

it('a city has the country that all of its listings name, and none when they differ or name what is none', () => {
  const { intake, discovery } = discoveringIntake(idle);
  const listings = [
    ['Lisbon', 'PT'],
    ['Lisbon', 'Portugal'],
    ['Lisbon', ''],
    ['Lisbon', undefined],
    ['Santiago', 'ES'],
    ['Santiago', 'Chile'],
    ['Edinburgh', 'GB'],
    ['Edinburgh', 'Scotland'],
    ['Faro', undefined],
    ['Porto', 620],
  ].map(([place, country]) => ({ place, country, currency: 'EUR' }));
  void intake.run({
    task: 'listings',
    document: new TextEncoder().encode(JSON.stringify(listings)),
  } as unknown as IntakeOrder<'listings'>);
  assert.deepEqual(
    [...discovery().cities].map(([city, { country, listings: count }]) => [city, country, count]),
    [
      ['Lisbon', 'PT', 4],
      ['Santiago', null, 2],
      ['Edinburgh', null, 2],
      ['Faro', null, 1],
      ['Porto', null, 1],
    ],
  );
});
