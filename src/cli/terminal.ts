/** What commands say and ask. They never write to the process's streams themselves. */
export type Terminal = {
  /** Whether a person can be asked. */
  readonly canAsk: boolean;
  /** The result of a command. */
  print(text: string): void;
  /** What goes on meanwhile: on the error stream, so that a result can be piped. */
  note(text: string): void;
  /** Rejects with `Interrupted` when the person gives up, and with a `UsageFault` when nobody can be asked. */
  ask(question: Question): Promise<string>;
  /** The same with any number of the choices. */
  askForSome(question: SelectionQuestion): Promise<readonly string[]>;
  progress(title: string): Progress;
  styled(style: TextStyle, text: string): string;
};

export type TextStyle = 'good' | 'bad' | 'warning' | 'faint' | 'strong';

type Choice = { readonly value: string; readonly label: string; readonly hint?: string };

export type Question = {
  readonly message: string;
  /** Which option answers it where nobody can be asked. */
  readonly option: string;
  readonly isSecret?: boolean;
  readonly choices?: readonly Choice[];
  readonly initial?: string;
  /** What is wrong with an answer. */
  readonly faultOf?: (answer: string) => string | undefined;
};

export type SelectionQuestion = Pick<Question, 'message' | 'option'> & {
  readonly choices: readonly Choice[];
  readonly initial: readonly string[];
};

export type Progress = {
  update(done: number, total: number): void;
  end(text: string): void;
};
