import type { Day, Month } from '../stay/day.ts';

/** How commands print and ask. They never write to the process's streams themselves. */
export type Terminal = {
  /** Whether a person is there to answer. */
  readonly canAsk: boolean;
  /** Whether a person sees the output: it may go to a file or to another program instead. */
  readonly isSeen: boolean;
  /** The width of the output. */
  readonly columns: number;
  /** The result of a command. */
  print(text: string): void;
  /** Progress notes, on the error stream, so that a result can be piped. */
  note(text: string): void;
  /** Rejects with `Interrupted` when the person gives up, and with a `UsageFault` when no person is there to ask. */
  ask(question: Question): Promise<string>;
  /** The same with any number of the choices. */
  askForSome(question: SelectionQuestion): Promise<readonly string[]>;
  /** A day as text, chosen from the days of a month. */
  askForDay(question: DayQuestion): Promise<string>;
  progress(title: string): Progress;
  /** A line that is shown while something goes on, and changes. */
  wait(): StatusLine;
  styled(style: TextStyle, text: string): string;
};

export type TextStyle = 'good' | 'bad' | 'warning' | 'faint' | 'strong';

export type Choice = { readonly value: string; readonly label: string; readonly hint?: string };

export type Question = {
  readonly message: string;
  /** The option that answers it where no person can be asked. */
  readonly option: string;
  readonly isSecret?: boolean;
  readonly choices?: readonly Choice[];
  /** For long lists: typing filters the choices by their labels. */
  readonly canFilter?: boolean;
  /** The choice that Escape makes; without it the person gives up. */
  readonly atEscape?: string;
  readonly initial?: string;
  /** Returns the fault of an answer; undefined for a valid one. */
  readonly faultOf?: (answer: string) => string | undefined;
};

export type SelectionQuestion = Pick<Question, 'message' | 'option'> & {
  readonly choices: readonly Choice[];
  readonly initial: readonly string[];
};

export type DayQuestion = Pick<Question, 'message' | 'option'> & {
  /** Months with days on offer, in order. */
  readonly months: readonly Month[];
  /** The days on offer in one of them. */
  readonly daysOf: (month: Month) => Promise<readonly Day[]>;
  /** Where to begin: the nearest day on offer is suggested. */
  readonly near: Day;
  readonly today: Day;
  /** For a departure: the day on which the nights begin. */
  readonly arrival: Day | null;
};

export type StatusLine = {
  show(text: string): void;
  /** Replaces the line by the text. */
  end(text: string): void;
};

export type Progress = {
  update(done: number, total: number): void;
  end(text: string): void;
};
