/** A condition on the third value, a node's clock: one that is far ahead must not delete what all nodes share. */
export const CLOCK_IS_RIGHT =
  '$3::double precision < extract(epoch FROM statement_timestamp()) * 1000 + 3600000';
