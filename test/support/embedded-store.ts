import { sampleCount } from '../../src/analytics/activity-store.contract.ts';
import { sampleOutcome } from '../../src/analytics/bookings/booking-outcomes.contract.ts';
import { emptyCalendar } from '../../src/catalogue/calendar.ts';
import { parseDay } from '../../src/stay/day.ts';
import { changeTo, sessionAt } from '../durability/workload.ts';
import { sampleProperty } from './sample-property.ts';
import { openSqliteIn } from './temporary-storage.ts';

/** What is in it: thirty homes have no calendar, and a session has two results of three quotes each. */
export const EMBEDDED = {
  homes: 305,
  calendars: 275,
  documents: 2,
  learned: 1,
  quotes: 6,
  counts: 2_300,
  bookings: 2,
};

/** An embedded store as a service leaves it, closed. */
export async function writeEmbeddedStore(directory: string): Promise<void> {
  const { inventory, sessions, activity, controls, outcomes, owner, close } = await openSqliteIn(directory);
  const firstDay = parseDay('2027-05-01') ?? 0;
  for (const [brand, homes] of [['azul', 300] as const, ['verde', 5] as const]) {
    const properties = Array.from({ length: homes }, (_, at) =>
      sampleProperty({ brand, reference: `ü-${at}` }),
    );
    await inventory.replaceCatalogue(brand, properties);
    const calendars = properties.flatMap(({ id }, at) => {
      const calendar = emptyCalendar(firstDay, 30);
      calendar.price.fill(10_000 + at);
      return at % 10 === 7 ? [] : [{ property: id, calendar, readAt: 1_795_000_000_000 + at }];
    });
    await inventory.saveCalendars(calendars);
  }
  await inventory.saveDocument('azul/rate_card', new TextEncoder().encode('{"é":1}'));
  await inventory.saveDocument('verde/held_back', new TextEncoder().encode('{}'));
  await inventory.saveLearned('azul', '{"learned":true}');
  await sessions.open(sessionAt('s', 1_000, 0));
  for (let revision = 1; revision <= 6; revision += 1)
    await sessions.commit(changeTo(sessionAt('s', 1_000, revision)));
  const counts = Array.from({ length: EMBEDDED.counts }, (_, at) =>
    sampleCount('wishes', at % 7, { place: `${at}`, facet: 'é', count: at - 5, sum: 2 ** 40 }),
  );
  await activity.add({ id: 'first', at: 1, counts });
  await controls.setPaused('azul', true, 7);
  await outcomes.put([sampleOutcome('1'), sampleOutcome('2', { nxq: 's/3/a' })]);
  await owner.set('console_password', 'embedded');
  await close();
}
