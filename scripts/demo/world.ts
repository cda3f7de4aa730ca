import type { Caller, Credentials } from './gateway'

/** What the story is told with. */
export interface World {
  /** Asks the platform, through its gateway. */
  as(credentials: Credentials): Caller
  admin: { email: string; password: string }
  /** The settings of the stack: of its data folder, where mails are found. */
  env: Readonly<Record<string, string | undefined>>
  /** Marks the names of this run, so that the story can be told again on the same stack. */
  run: string
  /** Runs a command of ours on the stack; what it said. Throws when it found a difference. */
  command(name: 'audit' | 'reconcile'): Promise<string>
  /** Takes the progress, a line for each step. */
  say(line: string): void
}

/** An institution that has come in, and its own callers. */
export interface Institution {
  id: string
  name: string
  /** Its user, with token and key. */
  user: Caller
  /** Its program, with the key alone. */
  program: Caller
}
