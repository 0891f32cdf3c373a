-- What is counted, by the hour; the numbers are those of the program, so that no sum is too large to be added to. Rows of the hour that is now are
-- changed every second: the room that is left in each page keeps their new versions beside the old.
CREATE TABLE activity_count (
  measure text COLLATE "C" NOT NULL,
  hour bigint NOT NULL,
  brand text COLLATE "C" NOT NULL,
  assistant text COLLATE "C" NOT NULL,
  place text COLLATE "C" NOT NULL,
  facet text COLLATE "C" NOT NULL,
  reason text COLLATE "C" NOT NULL,
  counted double precision NOT NULL,
  summed double precision NOT NULL,
  PRIMARY KEY (measure, hour, brand, assistant, place, facet, reason)
) WITH (fillfactor = 80);
CREATE INDEX activity_count_by_hour ON activity_count (hour);

-- Batches that were added, so that none is added twice. When, by the clock of this server.
CREATE TABLE activity_batch (
  id text COLLATE "C" PRIMARY KEY,
  added_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX activity_batch_by_time ON activity_batch (added_at);

-- Embedded stores whose counts were moved here, so that none is added twice.
CREATE TABLE activity_moved (source text PRIMARY KEY);

-- What the owner has decided about brands.
CREATE TABLE brand_control (
  brand text COLLATE "C" PRIMARY KEY,
  paused_at bigint,
  reading_requested_at bigint
);

-- Bookings that operators have reported, with what the ledger said of their quotes.
CREATE TABLE booking_outcome (
  brand text COLLATE "C" NOT NULL,
  reference text COLLATE "C" NOT NULL,
  nxq text COLLATE "C",
  status text NOT NULL,
  booked_at bigint NOT NULL,
  amount double precision NOT NULL,
  currency text NOT NULL,
  reported_at bigint NOT NULL,
  -- When the operator's system told of it; null for one that came in a file.
  collected_at bigint,
  quote text,
  PRIMARY KEY (brand, reference)
);
CREATE INDEX booking_outcome_by_time ON booking_outcome (booked_at, brand, reference);
CREATE INDEX booking_outcome_by_quote ON booking_outcome (nxq, brand, booked_at) WHERE nxq IS NOT NULL;
CREATE INDEX booking_outcome_by_collection ON booking_outcome (brand, collected_at);

CREATE TABLE owner_setting (
  name text PRIMARY KEY,
  value text NOT NULL
);

-- Where the home was, and how the price was made up, as JSON. Quotes from before have neither.
ALTER TABLE issued_quote ADD COLUMN place text NOT NULL DEFAULT '', ADD COLUMN details text;
-- Begins with what the quotes of one result share, so that they change few of its pages.
CREATE INDEX issued_quote_by_stay ON issued_quote (check_in, check_out, retrieved_at, property);
