import type { Schema } from './migrate.ts';

export const ACTIVITY_SCHEMA: Schema = {
  applicationId: 0x5374_7741,
  migrations: [
    `
    -- By measure and then by hour: a report reads few measures of a span of hours. Numbers are REAL, like those of the program, so that no sum is
    -- too large to be added to; SQLite stores whole ones as integers.
    CREATE TABLE activity_count (
      measure TEXT NOT NULL,
      hour INTEGER NOT NULL,
      brand TEXT NOT NULL,
      assistant TEXT NOT NULL,
      place TEXT NOT NULL,
      facet TEXT NOT NULL,
      reason TEXT NOT NULL,
      counted REAL NOT NULL,
      summed REAL NOT NULL,
      PRIMARY KEY (measure, hour, brand, assistant, place, facet, reason)
    ) STRICT, WITHOUT ROWID;

    -- Batches that were added, so that none is added twice.
    CREATE TABLE activity_batch (id TEXT PRIMARY KEY, sent_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE INDEX activity_batch_by_time ON activity_batch (sent_at);

    -- Names these counts among those of other stores, for whoever moves them.
    CREATE TABLE activity_source (id TEXT NOT NULL) STRICT;
    INSERT INTO activity_source (id) VALUES (lower(hex(randomblob(16))));

    CREATE TABLE brand_control (
      brand TEXT PRIMARY KEY,
      paused_at INTEGER,
      reading_requested_at INTEGER
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE booking_outcome (
      brand TEXT NOT NULL,
      reference TEXT NOT NULL,
      nxq TEXT,
      status TEXT NOT NULL,
      booked_at INTEGER NOT NULL,
      amount REAL NOT NULL,
      currency TEXT NOT NULL,
      reported_at INTEGER NOT NULL,
      -- When the operator's system told of it; NULL for one that came in a file.
      collected_at INTEGER,
      -- What the ledger said of its quote, as JSON.
      quote TEXT,
      PRIMARY KEY (brand, reference)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX booking_outcome_by_time ON booking_outcome (booked_at);
    CREATE INDEX booking_outcome_by_quote ON booking_outcome (nxq, brand, booked_at) WHERE nxq IS NOT NULL;
    CREATE INDEX booking_outcome_by_collection ON booking_outcome (brand, collected_at);

    CREATE TABLE owner_setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
    `,
    `
    -- A JSON object: by the reference of a home, when the owner last confirmed what its feeds had lost.
    ALTER TABLE brand_control ADD COLUMN confirmed_losses TEXT NOT NULL DEFAULT '{}';
    `,
  ],
};
