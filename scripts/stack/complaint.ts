import { messageOf } from '@bursar/contracts/log'

/** What a person can do about an error of the system, by its code. */
const remedies = new Map([
  ['ENOSPC', 'the disk is full: free some space, and run this again'],
  ['EDQUOT', 'the quota of this user is used up: free some space, and run this again'],
  ['SQLITE_FULL', 'free some space, and run this again'],
  ['EACCES', 'run this as the user who runs the services'],
  ['EPERM', 'run this as the user who runs the services'],
  ['EROFS', 'the file system is read-only'],
  ['SQLITE_READONLY', 'run this as the user who runs the services'],
  ['SQLITE_CANTOPEN', 'run this as the user who runs the services'],
])

/** What a command prints of an error: its message, and what to do where the system refused something. */
export function complaintOf(error: unknown): string {
  const message = messageOf(error)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const remedy = remedies.get(code) ?? remedies.get(code.split('_').slice(0, 2).join('_'))
  return remedy === undefined ? message : `${message}: ${remedy}`
}

/** Runs a command. What it throws is told in a sentence, and the exit code is 1 then. */
export async function carryOut(command: () => Promise<unknown>): Promise<void> {
  try {
    await command()
  } catch (error) {
    process.stderr.write(`${complaintOf(error)}\n`)
    process.exitCode = 1
  }
}
