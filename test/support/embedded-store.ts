import { emptyCalendar } from '../../src/inventory/calendar.ts';
import { parseDay } from '../../src/stay/day.ts';
import { changeTo, sessionAt } from '../durability/workload.ts';
import { sampleProperty } from './sample-property.ts';
import { openSqliteIn } from './temporary-storage.ts';

/** What is in it: thirty homes have no calendar, and a session has two results of three quotes each. */
export const EMBEDDED = { homes: 305, calendars: 275, documents: 2, learned: 1, quotes: 6 };

/** An embedded store as a service leaves it, closed. */
export async function writeEmbeddedStore(directory: string): Promise<void> {
  const { inventory, sessions, close } = await openSqliteIn(directory);
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
  await close();
}
