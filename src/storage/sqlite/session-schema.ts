import type { Schema } from './database.ts';

export const SESSION_SCHEMA: Schema = {
  applicationId: 0x5374_7753,
  migrations: [
    `
    -- Numbered in the order of opening, so that the rows of live sessions and their answers share pages.
    CREATE TABLE session (
      number INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      revision INTEGER NOT NULL,
      expires_at INTEGER NOT NULL,
      -- 1 once its results, answers and openings were removed, so that nobody looks for them again.
      emptied INTEGER NOT NULL DEFAULT 0,
      state TEXT NOT NULL
    ) STRICT;
    CREATE INDEX session_by_end ON session (expires_at);
    CREATE INDEX session_to_empty ON session (expires_at) WHERE emptied = 0;

    -- The answer that completes a search is its result: then its key stands here instead of a second copy.
    CREATE TABLE result (
      session INTEGER PRIMARY KEY REFERENCES session ON DELETE CASCADE,
      body BLOB,
      answer_key TEXT,
      CHECK ((body IS NULL) <> (answer_key IS NULL))
    ) STRICT;

    -- Not WITHOUT ROWID: bodies of some kilobytes would spill out of the key's pages, and appending them is cheaper.
    CREATE TABLE answer (
      session INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
      key TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      body BLOB NOT NULL,
      UNIQUE (session, key)
    ) STRICT;

    CREATE TABLE opening (
      id TEXT PRIMARY KEY,
      session INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
      fingerprint TEXT NOT NULL,
      body BLOB NOT NULL,
      sealed_token BLOB NOT NULL
    ) STRICT;
    CREATE INDEX opening_by_session ON opening (session);

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
      valid_until INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX issued_quote_by_time ON issued_quote (retrieved_at);
    CREATE TRIGGER issued_quotes_stay BEFORE DELETE ON issued_quote
      BEGIN SELECT RAISE(ABORT, 'the ledger of issued quotes is append-only'); END;
    CREATE TRIGGER issued_quotes_do_not_change BEFORE UPDATE ON issued_quote
      BEGIN SELECT RAISE(ABORT, 'the ledger of issued quotes is append-only'); END;
    `,
    `
    -- Keys are remembered, answers are not: a result that shared the bytes of an answer gets them as its own.
    CREATE TABLE result_with_bytes (
      session INTEGER PRIMARY KEY REFERENCES session ON DELETE CASCADE,
      body BLOB NOT NULL
    ) STRICT;
    INSERT INTO result_with_bytes (session, body)
      SELECT result.session, coalesce(result.body, answer.body)
      FROM result LEFT JOIN answer ON answer.session = result.session AND answer.key = result.answer_key;
    DROP TABLE result;
    ALTER TABLE result_with_bytes RENAME TO result;
    DROP TABLE answer;

    -- In the order of sessions, so that the keys of one, and of those opened with it, share pages.
    CREATE TABLE used_key (
      session INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
      id TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      revision INTEGER NOT NULL,
      PRIMARY KEY (session, id)
    ) STRICT, WITHOUT ROWID;

    UPDATE session SET state = json_remove(
      json_set(state, '$.amenities', json(coalesce(state ->> '$.result.appliedAmenities', '[]'))),
      '$.result.appliedAmenities'
    );
    `,
    `
    -- Openings held tokens, encrypted with keys that may be guessed. They are kept in memory now, for a minute.
    DROP TABLE opening;

    -- What an assistant keeps in the store is limited, so it is counted: see storage-quota.ts for the estimates.
    ALTER TABLE session ADD COLUMN assistant TEXT NOT NULL DEFAULT '';
    ALTER TABLE session ADD COLUMN bytes INTEGER NOT NULL DEFAULT 1000;
    -- Part of bytes: what a new result replaces.
    ALTER TABLE session ADD COLUMN result_bytes INTEGER NOT NULL DEFAULT 0;
    UPDATE session SET assistant = state ->> '$.assistant';
    UPDATE session SET result_bytes = length(body), bytes = bytes + length(body)
      FROM result WHERE result.session = session.number;
    -- Finds the end of an assistant's oldest session.
    CREATE INDEX session_of_assistant ON session (assistant, expires_at) WHERE emptied = 0;
    `,
    `
    -- Quotes from before this instant may be deleted; all others still stay, whoever tries.
    CREATE TABLE ledger_retention (before INTEGER NOT NULL) STRICT;
    INSERT INTO ledger_retention (before) VALUES (-9223372036854775808);
    DROP TRIGGER issued_quotes_stay;
    CREATE TRIGGER issued_quotes_stay BEFORE DELETE ON issued_quote
      WHEN OLD.retrieved_at >= (SELECT before FROM ledger_retention)
      BEGIN SELECT RAISE(ABORT, 'the ledger of issued quotes is append-only'); END;
    `,
    `
    -- In the order in which they end, so that those that have ended are found at one side and new ones are added at the other.
    CREATE TABLE used_nonce (
      ends_at INTEGER NOT NULL,
      name TEXT NOT NULL,
      signer TEXT NOT NULL,
      PRIMARY KEY (ends_at, name)
    ) STRICT, WITHOUT ROWID;
    `,
    `
    -- Where the home was, and how the price was made up, as JSON. Quotes from before have neither.
    ALTER TABLE issued_quote ADD COLUMN place TEXT NOT NULL DEFAULT '';
    ALTER TABLE issued_quote ADD COLUMN details TEXT;
    CREATE INDEX issued_quote_by_nxq ON issued_quote (nxq);
    -- Begins with what the quotes of one result share, so that they change few of its pages.
    CREATE INDEX issued_quote_by_stay ON issued_quote (check_in, check_out, retrieved_at, property);
    `,
    `
    -- What was counted of the session, as JSON; beside its state, which every step replaces.
    ALTER TABLE session ADD COLUMN tally TEXT;
    `,
    `
    -- Cancellation policies of quotes, as JSON, each once; quotes from before have theirs in the details.
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
    ALTER TABLE issued_quote ADD COLUMN policy INTEGER;
    -- With the assistant, so that the index alone finds its oldest quotes.
    DROP INDEX issued_quote_by_time;
    CREATE INDEX issued_quote_by_time ON issued_quote (retrieved_at, assistant);

    -- What the ledger has of each assistant. Beyond the limit of the ledger, quotes retrieved up to surplus_until may be deleted.
    CREATE TABLE ledger_account (
      assistant TEXT PRIMARY KEY,
      bytes INTEGER NOT NULL,
      surplus_until INTEGER NOT NULL DEFAULT 0
    ) STRICT, WITHOUT ROWID;
    INSERT INTO ledger_account (assistant, bytes)
      SELECT assistant, sum(340 + coalesce(octet_length(details), 0)) FROM issued_quote GROUP BY assistant;
    DROP TRIGGER issued_quotes_stay;
    CREATE TRIGGER issued_quotes_stay BEFORE DELETE ON issued_quote
      WHEN OLD.retrieved_at >= (SELECT before FROM ledger_retention)
        AND OLD.retrieved_at > coalesce((SELECT surplus_until FROM ledger_account WHERE assistant = OLD.assistant), 0)
      BEGIN SELECT RAISE(ABORT, 'the ledger of issued quotes is append-only'); END;
    CREATE TRIGGER issued_quote_deleted AFTER DELETE ON issued_quote BEGIN
      UPDATE ledger_account SET bytes = bytes - 340 - coalesce(octet_length(OLD.details), 0) WHERE assistant = OLD.assistant;
      UPDATE quote_policy SET quotes = quotes - 1 WHERE number = OLD.policy;
      DELETE FROM quote_policy WHERE number = OLD.policy AND quotes = 0;
    END;
    CREATE TRIGGER quote_policy_deleted AFTER DELETE ON quote_policy BEGIN
      UPDATE ledger_account SET bytes = bytes - OLD.bytes WHERE assistant = OLD.assistant;
    END;
    `,
  ],
};
