import type { Schema } from './database.ts';

const SESSION_TABLES = `
  -- Numbered in the order of opening, so that the rows of live sessions and their results share pages.
  CREATE TABLE session (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    revision INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    -- 1 once its result and keys were deleted, so that they are not looked for again.
    emptied INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL,
    assistant TEXT NOT NULL DEFAULT '',
    -- Estimated, with its keys, result and quotes.
    bytes INTEGER NOT NULL DEFAULT 1000,
    -- Part of bytes: what a new result replaces.
    result_bytes INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX session_by_end ON session (expires_at);
  CREATE INDEX session_to_empty ON session (expires_at) WHERE emptied = 0;
  -- Finds the end of an assistant's oldest session.
  CREATE INDEX session_of_assistant ON session (assistant, expires_at) WHERE emptied = 0;

  CREATE TABLE result (
    session INTEGER PRIMARY KEY REFERENCES session ON DELETE CASCADE,
    body BLOB NOT NULL
  ) STRICT;

  -- In the order of sessions, so that the keys of one, and of those opened with it, share pages.
  CREATE TABLE used_key (
    session INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
    id TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    revision INTEGER NOT NULL,
    PRIMARY KEY (session, id)
  ) STRICT, WITHOUT ROWID;

  -- In the order in which they end, so that ended ones are found at one side and new ones are added at the other.
  CREATE TABLE used_nonce (
    ends_at INTEGER NOT NULL,
    name TEXT NOT NULL,
    signer TEXT NOT NULL,
    PRIMARY KEY (ends_at, name)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE issued_quote (
    number INTEGER PRIMARY KEY,
    nxq TEXT NOT NULL,
    session TEXT NOT NULL,
    assistant TEXT NOT NULL,
    brand TEXT NOT NULL,
    property TEXT NOT NULL,
    check_in TEXT NOT NULL,
    check_out TEXT NOT NULL,
    guests INTEGER NOT NULL,
    amount REAL NOT NULL,
    currency TEXT NOT NULL,
    retrieved_at INTEGER NOT NULL,
    valid_until INTEGER NOT NULL,
    -- Quotes of 0.1.0 have neither place nor details.
    place TEXT NOT NULL DEFAULT '',
    details TEXT,
    policy INTEGER
  ) STRICT;
  -- With the assistant, so that the index alone finds its oldest quotes.
  CREATE INDEX issued_quote_by_time ON issued_quote (retrieved_at, assistant);
  CREATE INDEX issued_quote_by_nxq ON issued_quote (nxq);
  -- Begins with what the quotes of one result share, so that they change few of its pages.
  CREATE INDEX issued_quote_by_stay ON issued_quote (check_in, check_out, retrieved_at, property);

  -- Cancellation policies of quotes, as JSON, each once.
  CREATE TABLE quote_policy (
    number INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    json TEXT NOT NULL,
    -- Of the quote with which it was stored first: its bytes count for this one.
    assistant TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    -- The number of quotes that refer to it; an index would cost more with each quote.
    quotes INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  -- Quotes from before this instant may be deleted.
  CREATE TABLE ledger_retention (before INTEGER NOT NULL) STRICT;
  INSERT INTO ledger_retention (before) VALUES (-9223372036854775808);
  -- The size of each assistant's quotes. Beyond the limit of the ledger, those retrieved up to surplus_until may be deleted.
  CREATE TABLE ledger_account (
    assistant TEXT PRIMARY KEY,
    bytes INTEGER NOT NULL,
    surplus_until INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;

  CREATE TRIGGER issued_quotes_stay BEFORE DELETE ON issued_quote
    WHEN OLD.retrieved_at >= (SELECT before FROM ledger_retention)
      AND OLD.retrieved_at > coalesce((SELECT surplus_until FROM ledger_account WHERE assistant = OLD.assistant), 0)
    BEGIN SELECT RAISE(ABORT, 'the ledger of issued quotes is append-only'); END;
  CREATE TRIGGER issued_quotes_do_not_change BEFORE UPDATE ON issued_quote
    BEGIN SELECT RAISE(ABORT, 'the ledger of issued quotes is append-only'); END;
  CREATE TRIGGER issued_quote_deleted AFTER DELETE ON issued_quote BEGIN
    UPDATE ledger_account SET bytes = bytes - 340 - coalesce(octet_length(OLD.details), 0) WHERE assistant = OLD.assistant;
    UPDATE quote_policy SET quotes = quotes - 1 WHERE number = OLD.policy;
    DELETE FROM quote_policy WHERE number = OLD.policy AND quotes = 0;
  END;
  CREATE TRIGGER quote_policy_deleted AFTER DELETE ON quote_policy BEGIN
    UPDATE ledger_account SET bytes = bytes - OLD.bytes WHERE assistant = OLD.assistant;
  END;
`;

/** 0.1.0 stored keys in clear and filters elsewhere: its sessions end with the update, and its ledger stays. */
const LEDGER_OF_FIRST_RELEASE = `
  DROP TABLE opening;
  DROP TABLE answer;
  DROP TABLE result;
  DROP TABLE session;
  DROP INDEX issued_quote_by_time;
  DROP TRIGGER issued_quotes_stay;
  DROP TRIGGER issued_quotes_do_not_change;
  ALTER TABLE issued_quote RENAME TO first_quote;
  ${SESSION_TABLES}
  INSERT INTO issued_quote (number, nxq, session, assistant, brand, property, check_in, check_out, guests, amount, currency, retrieved_at, valid_until)
    SELECT number, nxq, session, assistant, brand, property, check_in, check_out, guests, amount, currency, retrieved_at, valid_until FROM first_quote;
  INSERT INTO ledger_account (assistant, bytes) SELECT assistant, 340 * count(*) FROM issued_quote GROUP BY assistant;
  DROP TABLE first_quote;
`;

export const SESSION_SCHEMA: Schema = {
  applicationId: 0x5374_7753,
  version: 8,
  create: SESSION_TABLES,
  upgrade: (version) => (version === 1 ? LEDGER_OF_FIRST_RELEASE : undefined),
};

const INVENTORY_TABLES = `
  -- What the index needs to know of a home, so that a start reads no texts.
  CREATE TABLE property (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    brand TEXT NOT NULL,
    reference TEXT NOT NULL DEFAULT '',
    place TEXT NOT NULL DEFAULT '',
    max_guests INTEGER NOT NULL DEFAULT 0,
    lead_days INTEGER NOT NULL DEFAULT 0,
    currency TEXT NOT NULL DEFAULT '',
    -- A JSON object from key to label; null when none are published.
    amenities TEXT,
    weight INTEGER NOT NULL DEFAULT 0,
    digest INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX property_by_brand ON property (brand);

  CREATE TABLE listing (
    property INTEGER PRIMARY KEY REFERENCES property ON DELETE CASCADE,
    state TEXT NOT NULL
  ) STRICT;

  -- Apart from the property: a catalogue is replaced without touching the calendars that stay.
  CREATE TABLE calendar (
    property INTEGER PRIMARY KEY REFERENCES property ON DELETE CASCADE,
    columns BLOB NOT NULL,
    read_at INTEGER NOT NULL DEFAULT 0,
    digest INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  -- By these a start recognises the calendars that it already has. The index is read without the columns, which are long.
  CREATE INDEX calendar_state ON calendar (property, read_at, digest);

  CREATE TABLE learned (brand TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT;
  CREATE TABLE document (name TEXT PRIMARY KEY, content TEXT NOT NULL) STRICT;

  -- The inventory that this is a copy of, and the last change copied; empty where it is no copy.
  CREATE TABLE replica_position (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    source TEXT NOT NULL,
    number INTEGER NOT NULL,
    mark TEXT
  ) STRICT;
`;

const OLD_INVENTORY = ['calendar', 'listing', 'property', 'rate_card', 'learned', 'document']
  .map((table) => `DROP TABLE IF EXISTS ${table};`)
  .join('\n');

export const INVENTORY_SCHEMA: Schema = {
  applicationId: 0x5374_7749,
  version: 7,
  create: INVENTORY_TABLES,
  // Everything in it is read again.
  upgrade: (version) => (version < 7 ? `${OLD_INVENTORY}\n${INVENTORY_TABLES}` : undefined),
};

const CONFIRMED_LOSSES = `
  -- A JSON object: by the reference of a home, when the owner last confirmed what its feeds had lost.
  ALTER TABLE brand_control ADD COLUMN confirmed_losses TEXT NOT NULL DEFAULT '{}';
`;

export const ACTIVITY_SCHEMA: Schema = {
  applicationId: 0x5374_7741,
  version: 2,
  create: `
    -- By measure and then by hour: a report reads few measures of a span of hours. Numbers are REAL, so that no sum is too large to be
    -- added to; SQLite stores whole ones as integers.
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

    -- Distinguishes these counts from those of other stores when they are moved.
    CREATE TABLE activity_source (id TEXT NOT NULL) STRICT;
    INSERT INTO activity_source (id) VALUES (lower(hex(randomblob(16))));

    CREATE TABLE brand_control (
      brand TEXT PRIMARY KEY,
      paused_at INTEGER,
      reading_requested_at INTEGER
    ) STRICT, WITHOUT ROWID;
    ${CONFIRMED_LOSSES}

    CREATE TABLE booking_outcome (
      brand TEXT NOT NULL,
      reference TEXT NOT NULL,
      nxq TEXT,
      status TEXT NOT NULL,
      booked_at INTEGER NOT NULL,
      amount REAL NOT NULL,
      currency TEXT NOT NULL,
      reported_at INTEGER NOT NULL,
      -- When the operator's system reported it; NULL for one that came in a file.
      collected_at INTEGER,
      -- The ledger's entry of its quote, as JSON.
      quote TEXT,
      PRIMARY KEY (brand, reference)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX booking_outcome_by_time ON booking_outcome (booked_at);
    CREATE INDEX booking_outcome_by_quote ON booking_outcome (nxq, brand, booked_at) WHERE nxq IS NOT NULL;
    CREATE INDEX booking_outcome_by_collection ON booking_outcome (brand, collected_at);

    CREATE TABLE owner_setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  `,
  upgrade: (version) => (version === 1 ? CONFIRMED_LOSSES : undefined),
};
