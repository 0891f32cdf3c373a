import { digestOfText } from '../../catalogue/catalogue.ts';
import { weightOf } from '../../parsing/owned-memory.ts';
import type { Schema } from './database.ts';

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
    // The age of calendars stored by earlier releases is unknown: they count as the oldest.
    'ALTER TABLE calendar ADD COLUMN read_at INTEGER NOT NULL DEFAULT 0;',
    // Texts separate from the facts that the index needs: a start reads the facts of every home and no texts.
    `
    CREATE TABLE listing (
      property INTEGER PRIMARY KEY REFERENCES property ON DELETE CASCADE,
      state TEXT NOT NULL
    ) STRICT;
    -- Nothing can be read of these, and their operators are.
    DELETE FROM property WHERE NOT json_valid(state);
    INSERT INTO listing (property, state) SELECT number, state FROM property;
    ALTER TABLE property ADD COLUMN reference TEXT NOT NULL DEFAULT '';
    ALTER TABLE property ADD COLUMN place TEXT NOT NULL DEFAULT '';
    ALTER TABLE property ADD COLUMN max_guests INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE property ADD COLUMN lead_days INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE property ADD COLUMN currency TEXT NOT NULL DEFAULT '';
    -- A JSON object from key to label; null when none are published.
    ALTER TABLE property ADD COLUMN amenities TEXT;
    ALTER TABLE property ADD COLUMN weight INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE property ADD COLUMN digest INTEGER NOT NULL DEFAULT 0;
    UPDATE property SET
      reference = coalesce(state ->> '$.reference', ''),
      place = coalesce(state ->> '$.place', ''),
      max_guests = coalesce(state ->> '$.maxGuests', 0),
      lead_days = coalesce(state ->> '$.leadDays', 0),
      currency = coalesce(state ->> '$.currency', ''),
      amenities = state ->> '$.amenities',
      weight = listing_weight(state),
      digest = listing_digest(state);
    ALTER TABLE property DROP COLUMN state;
    `,
    // By these a start recognises the calendars that it already has. The index is read without the columns, which are long.
    `
    ALTER TABLE calendar ADD COLUMN digest INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX calendar_state ON calendar (property, read_at, digest);
    `,
    // The inventory that this is a copy of, and the last change copied; empty where it is no copy.
    `
    CREATE TABLE replica_position (
      only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
      source TEXT NOT NULL,
      number INTEGER NOT NULL,
      mark TEXT
    ) STRICT;
    `,
  ],
  functions: {
    listing_weight: (state) => weightOf(JSON.parse(state)),
    listing_digest: digestOfText,
  },
};
