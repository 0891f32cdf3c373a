import type { BookingSystem, StillReading } from '../../quotes/booking-system.ts';

/** The budget of an account may be used up for an hour, and a vendor may announce a longer pause. */
const MAX_WAIT_FOR_A_TURN_MS = 6 * 3_600_000;

/**
 * A booking system with an account waits for its turn in the vendor's budget, and each of its calls has a time limit of its own: so its
 * silence is no sign that it hangs.
 */
export function withPatientReads(system: BookingSystem): BookingSystem {
  return {
    ...system,
    limits: { ...system.limits, keepsBudget: true },
    catalogue: (signal, stillReading) => system.catalogue(signal, patient(stillReading)),
    calendars: (references, horizon, signal, stillReading) =>
      system.calendars(references, horizon, signal, patient(stillReading)),
  };
}

function patient(stillReading: StillReading = () => undefined): StillReading {
  const waits: StillReading = () => stillReading(MAX_WAIT_FOR_A_TURN_MS);
  waits();
  return waits;
}
