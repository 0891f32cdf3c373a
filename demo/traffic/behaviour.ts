import { DEMO_ASSISTANTS, type DemoAssistant } from '../assistants.ts';

export type Field = 'destination' | 'check_in_month' | 'check_in_day' | 'check_out' | 'guests';

/** How an assistant searches. Every number except `share` and `repeats` is a probability. */
export type Behaviour = {
  readonly assistant: DemoAssistant;
  /** Of all sessions; the shares of all assistants add up to 1. */
  readonly share: number;
  /** The fields of each request, in order: all in one request, or some at a time. */
  readonly requests: readonly (readonly Field[])[];
  /** The traveller leaves before the request with this field. */
  readonly leavesAt: Readonly<Record<Field, number>>;
  /** After a refusal the assistant sends a suggested value instead of stopping. */
  readonly takesSuggestions: number;
  readonly misspells: number;
  /** The place is not on the network. */
  readonly asksElsewhere: number;
  /** The party is a family, or a group that is too large for any home. */
  readonly comesAsGroup: number;
  readonly refines: number;
  readonly changesItsMind: number;
  readonly followsALink: number;
  readonly booksWhatItFollows: number;
  /** How often the same request is sent again without a pause. */
  readonly repeats: number;
};

const AT_ONCE: readonly Field[] = ['destination', 'check_in_day', 'check_out', 'guests'];
const NEVER_LEAVES = { destination: 0, check_in_month: 0, check_in_day: 0, check_out: 0, guests: 0 };

export const BEHAVIOURS: readonly Behaviour[] = [
  {
    // Sends a complete stay.
    assistant: DEMO_ASSISTANTS.juniper,
    share: 0.32,
    requests: [AT_ONCE],
    leavesAt: { ...NEVER_LEAVES, destination: 0.02 },
    takesSuggestions: 0.85,
    misspells: 0.02,
    asksElsewhere: 0.05,
    comesAsGroup: 0.08,
    refines: 0.4,
    changesItsMind: 0.15,
    followsALink: 0.55,
    booksWhatItFollows: 0.4,
    repeats: 0,
  },
  {
    // Asks its traveller field by field, and loses some travellers at each.
    assistant: DEMO_ASSISTANTS.marlow,
    share: 0.28,
    requests: [['destination'], ['check_in_month'], ['check_in_day'], ['check_out'], ['guests']],
    leavesAt: { destination: 0.05, check_in_month: 0.06, check_in_day: 0.14, check_out: 0.09, guests: 0.05 },
    takesSuggestions: 0.6,
    misspells: 0.05,
    asksElsewhere: 0.09,
    comesAsGroup: 0.1,
    refines: 0.2,
    changesItsMind: 0.1,
    followsALink: 0.35,
    booksWhatItFollows: 0.25,
    repeats: 0,
  },
  {
    // Passes on what people type, including places that are not on the network.
    assistant: DEMO_ASSISTANTS.pepper,
    share: 0.22,
    requests: [['destination'], ['check_in_day', 'check_out'], ['guests']],
    leavesAt: { ...NEVER_LEAVES, destination: 0.12, check_in_day: 0.3, guests: 0.12 },
    takesSuggestions: 0.4,
    misspells: 0.18,
    asksElsewhere: 0.24,
    comesAsGroup: 0.06,
    refines: 0.12,
    changesItsMind: 0.06,
    followsALink: 0.2,
    booksWhatItFollows: 0.15,
    repeats: 0,
  },
  {
    // Plans for families and groups.
    assistant: DEMO_ASSISTANTS.quill,
    share: 0.13,
    requests: [
      ['destination', 'guests'],
      ['check_in_day', 'check_out'],
    ],
    leavesAt: { ...NEVER_LEAVES, destination: 0.04, check_in_day: 0.12 },
    takesSuggestions: 0.55,
    misspells: 0.03,
    asksElsewhere: 0.06,
    comesAsGroup: 0.75,
    refines: 0.35,
    changesItsMind: 0.2,
    followsALink: 0.4,
    booksWhatItFollows: 0.3,
    repeats: 0,
  },
  {
    // Repeats each request until it is refused.
    assistant: DEMO_ASSISTANTS.dash,
    share: 0.05,
    requests: [AT_ONCE],
    leavesAt: NEVER_LEAVES,
    takesSuggestions: 0.1,
    misspells: 0.08,
    asksElsewhere: 0.1,
    comesAsGroup: 0.05,
    refines: 0,
    changesItsMind: 0,
    followsALink: 0.02,
    booksWhatItFollows: 0,
    repeats: 15,
  },
];
