-- Cancellation policies of quotes, as JSON, each once; quotes from before have theirs in the details.
CREATE TABLE quote_policy (
  hash text COLLATE "C" PRIMARY KEY,
  json text NOT NULL,
  -- Of the quote with which it was stored first: its bytes count for this one.
  assistant text NOT NULL,
  bytes integer NOT NULL
);
-- The constraint keeps a policy that another node is about to refer to. It holds for all rows: those from before have none.
ALTER TABLE issued_quote ADD COLUMN policy text COLLATE "C",
  ADD CONSTRAINT issued_quote_policy FOREIGN KEY (policy) REFERENCES quote_policy NOT VALID;
CREATE INDEX issued_quote_by_policy ON issued_quote (policy) WHERE policy IS NOT NULL;
CREATE INDEX issued_quote_by_assistant ON issued_quote (assistant, number);

-- What the ledger has of each assistant.
CREATE TABLE ledger_account (
  assistant text COLLATE "C" PRIMARY KEY,
  bytes bigint NOT NULL
) WITH (fillfactor = 50);
INSERT INTO ledger_account (assistant, bytes)
  SELECT assistant, sum(340 + coalesce(octet_length(details), 0)) FROM issued_quote GROUP BY assistant;

CREATE FUNCTION issued_quotes_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH deleted_policy AS (
    DELETE FROM quote_policy WHERE hash IN (SELECT policy FROM deleted)
      AND NOT EXISTS (SELECT 1 FROM issued_quote WHERE policy = hash)
    RETURNING assistant, bytes
  )
  INSERT INTO ledger_account AS account (assistant, bytes)
    SELECT assistant, -sum(bytes) FROM (
      SELECT assistant, 340 + coalesce(octet_length(details), 0) AS bytes FROM deleted
      UNION ALL SELECT assistant, bytes FROM deleted_policy
    ) AS gone GROUP BY assistant ORDER BY assistant
    ON CONFLICT (assistant) DO UPDATE SET bytes = account.bytes + excluded.bytes;
  RETURN NULL;
END $$;
CREATE TRIGGER issued_quotes_deleted AFTER DELETE ON issued_quote
  REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION issued_quotes_deleted();
