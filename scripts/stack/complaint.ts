import { messageOf } from '@bursar/contracts/log'

/** What a person can do about an error of the system, by its code. */
const remedies = new Map([
  ['ENOSPC', 'the disk is full: free some space, and run this again'],
  ['EDQUOT', 'the quota of this user is used up: free some space, and run this again'],
  ['SQLITE_FULL', 'free some space, and run this again'],
  ['EACCES', 'run this as the user who runs the services, and name only files where that user may write'],
  ['EPERM', 'run this as the user who runs the services'],
  ['EROFS', 'the file system is read-only'],
  ['SQLITE_READONLY', 'run this as the user who runs the services'],
  ['SQLITE_CANTOPEN', 'run this as the user who runs the services'],
])

/** What a command prints of an error: its message, the request that the platform refused, and what to do about the system. */
export function complaintOf(error: unknown): string {
  const { name, status, requestId } = Object(error)
  const isAnswer = name === 'BursarError' && status > 0
  const message = messageOf(error) + (isAnswer ? ` (request ${requestId})` : '')
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const remedy = remedies.get(code) ?? remedies.get(code.split('_').slice(0, 2).join('_'))
  return remedy === undefined ? message : `${message}: ${remedy}`
}
