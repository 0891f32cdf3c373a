import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { parseDay } from '../../stay/day.ts';
import { type InsideAirbnbOptions, importInsideAirbnb } from './import-inside-airbnb.ts';
import { describeImportFault } from './import-job.ts';

const TODAY = parseDay('2027-03-01') ?? 0;
const LISTINGS = 'id,name,picture_url,accommodates,amenities,price,minimum_nights,maximum_nights';
const CALENDAR = 'listing_id,date,available,price,minimum_nights,maximum_nights';
const listing = (id: string, price = '$50.00') =>
  `${id},"Home, ${id}",https://a0.muscache.com/${id}.jpg,2,"[""Wifi"", ""Moat""]",${price},2,30`;

async function imported(
  t: TestContext,
  listings: readonly string[],
  calendar: readonly string[],
  options: Partial<InsideAirbnbOptions> = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'inside-airbnb-'));
  t.after(() => rm(folder, { recursive: true }));
  const paths = { listings: join(folder, 'são-paulo_listings.csv'), calendar: join(folder, 'calendar.csv') };
  await writeFile(paths.listings, listings.join('\n'));
  await writeFile(paths.calendar, calendar.join('\r\n'));
  const output = join(folder, 'out.jsonl');
  try {
    const summary = await importInsideAirbnb({ ...paths, output, today: TODAY, ...options });
    const lines = (await readFile(output, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    return { ...summary, lines, faults: summary.rejections.map(describeImportFault) };
  } finally {
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.endsWith('.part')),
      [],
    );
  }
}

describe('an import of published files', () => {
  it('moves the first day of the calendars to today, and joins nights that are alike', async (t) => {
    const result = await imported(
      t,
      [LISTINGS, listing('7'), listing('8', '')],
      [
        CALENDAR,
        '8,2019-12-31,t,"$1,000.00",1,1125',
        '7,2020-01-01,t,,,',
        '7,2020-01-02,t,,,',
        '7,2020-01-03,f,$60.00,5,1125',
        '8,2020-01-01,t,,1,1125',
      ],
    );
    assert.deepEqual(result.faults, []);
    assert.deepEqual(result.lines.slice(3), [
      {
        type: 'calendar',
        property: '7',
        periods: [
          {
            from: '2027-03-02',
            to: '2027-03-04',
            available: true,
            minimum_stay: 2,
            maximum_stay: 30,
            price: '50.00',
          },
          {
            from: '2027-03-04',
            to: '2027-03-05',
            available: false,
            minimum_stay: 5,
            maximum_stay: 1125,
            price: '60.00',
          },
        ],
      },
      {
        type: 'calendar',
        property: '8',
        periods: [
          { from: '2027-03-01', to: '2027-03-02', available: true, maximum_stay: 1125, price: '1000.00' },
          { from: '2027-03-02', to: '2027-03-03', available: true, maximum_stay: 1125 },
        ],
      },
    ]);
    assert.deepEqual([result.properties, result.calendars, result.calendarRows], [2, 2, 5]);
    assert.deepEqual(result.unmappedAmenities, [{ amenity: 'Moat', listings: 2 }]);
    assert.deepEqual(result.lines[1].amenities, { wifi: 'Wi-Fi' });
  });

  it('says what the network file needs to know', async (t) => {
    const files = [
      [LISTINGS, listing('7')],
      [CALENDAR, '7,2020-01-01,t,,,'],
    ] as const;
    const { city, found } = await imported(t, ...files);
    assert.deepEqual(city, { id: 'sao-paulo', name: 'São Paulo', currency: 'USD' });
    assert.deepEqual(found.hosts, [
      { host: 'www.airbnb.com', pages: 1, pictures: 0 },
      { host: 'a0.muscache.com', pages: 0, pictures: 1 },
    ]);
    const told = await imported(t, ...files, { currency: 'BRL', city: 'Sampa' });
    assert.deepEqual(told.city, { id: 'sampa', name: 'Sampa', currency: 'BRL' });
    assert.equal(told.lines[1].currency, 'BRL');
    assert.equal(told.lines[1].place, 'sampa');
  });

  it('holds back a bad row alone, and says where it is and what is wrong', async (t) => {
    const result = await imported(
      t,
      [
        LISTINGS,
        listing('1'),
        '2,"two\nlines",,2,[],,1,9',
        listing('1'),
        '3,short',
        '4,"Home" 4,https://a0.muscache.com/4.jpg,2,[],,1,9',
        listing('5'),
        listing('6', ''),
      ],
      [
        CALENDAR,
        '1,2020-01-01,t,$50.00,1,9',
        '1,2020-01-01,t,$70.00,1,9',
        '1,2020-02-30,t,$50.00,1,9',
        '1,2020-01-02,yes,$50.00,1,9',
        '1,2020-01-03,t,lots,1,9',
        '1,2020-01-04,t,€50.00,1,9',
        '1,2020-01-05,t,$50.00,0,9',
        '1,2020-01-06,t,$50.00,1,many',
        '1,2029-01-06,t,$50.00,1,9',
        '1,2020-01-07,t',
        '2,2020-01-01,t,$50.00,1,9',
        '9,2020-01-01,t,$50.00,1,9',
        '9,2020-01-02,t,$50.00,1,9',
        '6,2020-01-02,t,,1,9',
      ],
    );
    assert.deepEqual(result.faults, [
      'são-paulo_listings.csv:3: picture_url is empty: a home needs a picture',
      'são-paulo_listings.csv:5: id was listed before; the first row counts: 1',
      'são-paulo_listings.csv:6: has 2 cells where the header has 8',
      'são-paulo_listings.csv:7: has text behind the closing quote of a cell',
      'calendar.csv:3: date was given before; the first row counts: 2020-01-01',
      'calendar.csv:4: date must be a day, YYYY-MM-DD: 2020-02-30',
      'calendar.csv:5: available must be t or f: yes',
      'calendar.csv:6: price must be a price such as $1,234.00: lots',
      'calendar.csv:7: price has another sign than $, which came first: €50.00',
      'calendar.csv:8: minimum_nights must be a whole number, at least 1: 0',
      'calendar.csv:9: maximum_nights must be a whole number, at least 1: many',
      'calendar.csv:10: date is years away from the other nights of the home: 2029-01-06',
      'calendar.csv:11: has 3 cells where the header has 6',
      'calendar.csv:13: listing_id is not in the listings: 9',
      'são-paulo_listings.csv:8: id has no row in the calendar: 5',
      'são-paulo_listings.csv:9: price is empty, here and in the calendar',
    ]);
    assert.deepEqual([result.properties, result.calendars, result.calendarRows], [3, 2, 2]);
  });

  it('refuses files that are something else, and writes nothing', async (t) => {
    const row = '7,2020-01-01,t,,,';
    const refused = async (listings: readonly string[], calendar: readonly string[], message: RegExp) =>
      assert.rejects(imported(t, listings, calendar), { name: 'ImportFailure', message });
    await refused(['a,b', '1,2'], [CALENDAR, row], /no price has a sign/);
    await refused(
      [CALENDAR, '7,2020-01-01,t,$1.00,,'],
      [CALENDAR, row],
      /^são-paulo_listings\.csv:1: there is no column id, name, accommodates, picture_url$/,
    );
    await refused(
      [LISTINGS, listing('7')],
      ['date,price'],
      /^calendar\.csv:1: there is no column listing_id, available$/,
    );
    await refused([LISTINGS, listing('7')], [''], /^calendar\.csv is empty$/);
    await refused(
      [LISTINGS, listing('7'), '8,"open'],
      [CALENDAR, row],
      /^são-paulo_listings\.csv: the quote in line 3 is not closed$/,
    );
  });

  it('ends when it is told to, and leaves nothing', async (t) => {
    const controller = new AbortController();
    const files = [
      [LISTINGS, listing('7')],
      [CALENDAR, '7,2020-01-01,t,,,'],
    ] as const;
    const bytes: number[] = [];
    await assert.rejects(
      imported(t, ...files, {
        signal: controller.signal,
        onProgress({ bytesRead, totalBytes }) {
          bytes.push(bytesRead);
          if (bytesRead === totalBytes) controller.abort();
        },
      }),
      { name: 'AbortError' },
    );
    assert.equal(bytes.length, 2);
  });
});
