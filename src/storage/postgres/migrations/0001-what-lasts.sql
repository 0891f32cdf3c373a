-- Which database this is, and how many changes of the inventory were committed. The row is locked by the last statement of each change,
-- so that numbers have no gaps and none becomes visible before a smaller one.
CREATE TABLE inventory_counter (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  database uuid NOT NULL DEFAULT gen_random_uuid(),
  number bigint NOT NULL DEFAULT 0
);
INSERT INTO inventory_counter DEFAULT VALUES;

-- Rows carry the id of the change that wrote them last, which is known from its beginning; its number is known at its end.
CREATE SEQUENCE inventory_change_id;
CREATE TABLE inventory_change (
  number bigint PRIMARY KEY,
  id bigint NOT NULL UNIQUE,
  node text NOT NULL,
  -- Tells it from another one of the same number, in a database that was restored or has lost its last changes.
  mark uuid NOT NULL DEFAULT gen_random_uuid(),
  committed_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- In the order of bytes, which replicas have too.
CREATE TABLE property (
  id text COLLATE "C" PRIMARY KEY,
  brand text COLLATE "C" NOT NULL,
  state text NOT NULL,
  digest bigint NOT NULL,
  change bigint NOT NULL
);
CREATE INDEX property_by_brand ON property (brand, id);
CREATE INDEX property_by_change ON property (change, id);

-- Apart from the property: a catalogue is replaced without touching the calendars that stay.
CREATE TABLE calendar (
  property text COLLATE "C" PRIMARY KEY REFERENCES property ON DELETE CASCADE,
  columns bytea NOT NULL,
  read_at bigint NOT NULL,
  digest bigint NOT NULL,
  change bigint NOT NULL
);
CREATE INDEX calendar_by_change ON calendar (change, property);

CREATE TABLE removed_property (
  id text COLLATE "C" PRIMARY KEY,
  brand text COLLATE "C" NOT NULL,
  change bigint NOT NULL
);
CREATE INDEX removed_property_by_change ON removed_property (change, id);

CREATE TABLE document (
  name text PRIMARY KEY,
  content bytea NOT NULL,
  stored_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Each node keeps what it has learned itself.
CREATE SEQUENCE learned_number;
CREATE TABLE learned (
  brand text NOT NULL,
  node text NOT NULL,
  json text NOT NULL,
  number bigint NOT NULL DEFAULT nextval('learned_number'),
  PRIMARY KEY (brand, node)
);

-- Both end by the clock of this server.
CREATE TABLE live_node (
  node text PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
CREATE TABLE brand_lease (
  brand text COLLATE "C" PRIMARY KEY,
  holder text NOT NULL,
  expires_at timestamptz NOT NULL
);

CREATE TABLE issued_quote (
  nxq text PRIMARY KEY,
  -- The order in which they arrived here.
  number bigserial NOT NULL UNIQUE,
  session text NOT NULL,
  assistant text NOT NULL,
  brand text NOT NULL,
  property text NOT NULL,
  check_in text NOT NULL,
  check_out text NOT NULL,
  guests integer NOT NULL,
  amount double precision NOT NULL,
  currency text NOT NULL,
  retrieved_at bigint NOT NULL,
  valid_until bigint NOT NULL
);
CREATE INDEX issued_quote_by_retrieval ON issued_quote (retrieved_at);

CREATE TABLE network_document (
  name text PRIMARY KEY,
  content bytea NOT NULL,
  revision integer NOT NULL,
  stored_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- What all nodes share and nobody else may know.
CREATE TABLE cluster_secret (
  name text PRIMARY KEY,
  secret bytea NOT NULL
);
