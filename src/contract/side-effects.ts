import { Type } from 'typebox';

/** What a request did besides taking its values, in a step and in a result alike. */
export const sideEffectMembers = {
  cleared_fields: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'Beyond the base interface: fields whose values no longer fit and were cleared; amenities when a filter had to go.',
    }),
  ),
  cleared_amenities: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'Beyond the base interface: filters that were taken off, because no match has them any more or because a request for a whole stay did not name them.',
    }),
  ),
  fulfilled_amenities: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'Beyond the base interface: amenities of the request that every match has, so that no filter was needed.',
    }),
  ),
  from_earlier_step: Type.Optional(
    Type.Literal(true, {
      description:
        'Beyond the base interface: the address that was followed belongs to an earlier step; its value was supplied to the search as it stands.',
    }),
  ),
};
