/** Something that the person at the terminal can put right: what is wrong, and what to do next. */
export class UsageFault extends Error {
  readonly faults: readonly string[];
  readonly next: string | null;

  constructor(faults: readonly string[], next: string | null = null) {
    super(faults.join('\n'));
    this.name = 'UsageFault';
    this.faults = faults;
    this.next = next;
  }
}

/** The person does not want to go on. Nothing was written. */
export class Interrupted extends Error {
  constructor() {
    super('interrupted; nothing was changed');
    this.name = 'Interrupted';
  }
}
