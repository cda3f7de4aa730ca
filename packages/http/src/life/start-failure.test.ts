import { expect, test } from 'bun:test'
import { startFailure } from './start-failure'

const coded = (code: string, message: string, more: object = {}) => Object.assign(new Error(message), { code, ...more })
const said = (error: unknown) => (startFailure(error, '/var/lib/bursar') as Error).message
const wrapped = (cause: Error) => new Error('The migrations could not be applied', { cause })

test.each([
  ['ENOSPC', 'no space left on device'],
  ['EDQUOT', 'quota exceeded'],
  ['SQLITE_FULL', 'database or disk is full'],
])('%s: the disk is full', (code, message) => {
  expect(said(wrapped(coded(code, message)))).toBe(
    `The disk of the data folder /var/lib/bursar is full (${message}): free some space there, or set DATA_DIR to another folder.`,
  )
})

test.each(['EIO', 'EFBIG', 'SQLITE_IOERR_WRITE'])('%s: the folder cannot be written', (code) => {
  expect(said(coded(code, 'disk I/O error'))).toBe(
    'The data folder /var/lib/bursar cannot be written (disk I/O error): check its disk, its quota and its limits, or set DATA_DIR to another folder.',
  )
})

test.each(
  [
    coded('EACCES', 'permission denied', { path: '/var/lib/bursar/internal.secret' }),
    coded('SQLITE_READONLY', 'attempt to write a readonly database'),
    coded('SQLITE_CANTOPEN', 'unable to open database file'),
  ].map((error) => [error.message, error] as const),
)('%s: the folder may not be used', (_, error) => {
  expect(said(error)).toStartWith(`The data folder /var/lib/bursar cannot be used (${error.message}): give this user`)
})

test('EROFS: the disk is mounted read-only', () => {
  expect(said(wrapped(coded('EROFS', 'read-only file system', { path: '/var/lib/bursar' })))).toBe(
    'The data folder /var/lib/bursar is on a disk that is mounted read-only (read-only file system): mount it for writing, or set DATA_DIR to another folder.',
  )
})

test('any other failure stays what it is', () => {
  for (const error of [
    new Error('REDIS_URL'),
    coded('EACCES', 'a port'),
    wrapped(coded('SQLITE_BUSY', 'busy')),
    'text',
  ])
    expect(startFailure(error, '/var/lib/bursar')).toBe(error)
})
