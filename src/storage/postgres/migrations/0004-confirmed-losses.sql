-- A JSON object: by the reference of a home, when the owner last confirmed what its feeds had lost.
ALTER TABLE brand_control ADD COLUMN confirmed_losses jsonb NOT NULL DEFAULT '{}';
