import type { Schema } from './migrations.ts';

export const INVENTORY_SCHEMA: Schema = {
  applicationId: 0x5374_7749,
  migrations: [
    `
    CREATE TABLE property (
      number INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      brand TEXT NOT NULL,
      state TEXT NOT NULL
    ) STRICT;
    CREATE INDEX property_by_brand ON property (brand);

    -- Apart from the property: a catalogue is replaced without touching the calendars that stay.
    CREATE TABLE calendar (
      property INTEGER PRIMARY KEY REFERENCES property ON DELETE CASCADE,
      columns BLOB NOT NULL
    ) STRICT;

    CREATE TABLE rate_card (brand TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT;
    `,
    'CREATE TABLE learned (brand TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT;',
    `
    CREATE TABLE document (name TEXT PRIMARY KEY, content TEXT NOT NULL) STRICT;
    INSERT INTO document (name, content) SELECT brand || '/rate_card', json FROM rate_card;
    DROP TABLE rate_card;
    `,
    // Of calendars that earlier releases stored it is not known when they were read: they count as the oldest there can be.
    'ALTER TABLE calendar ADD COLUMN read_at INTEGER NOT NULL DEFAULT 0;',
  ],
};
