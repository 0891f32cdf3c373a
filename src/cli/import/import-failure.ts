/** A file that cannot be imported at all. Its message is for whoever started the import; nothing was written. */
export class ImportFailure extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'ImportFailure';
  }
}
