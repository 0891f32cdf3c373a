-- Who may call, for all nodes. The version is a hash of the content, so that nodes see without reading it whether it is another.
CREATE TABLE assistant_registry (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  version text NOT NULL,
  content text NOT NULL,
  stored_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
