/** What a command ends with, for scripts. */
export const EXIT = {
  done: 0,
  /** The command ran, and what it looked at has faults. */
  faults: 1,
  /** The command could not run: an option, a file or a setting is wrong. */
  usage: 2,
  /** Ctrl-C, or the end of the terminal: 128 and the number of SIGINT, as shells have it. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
