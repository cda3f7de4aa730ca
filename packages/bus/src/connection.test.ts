import { expect, test } from 'bun:test'
import { isConnectionError } from './connection'

test('broken and silent connections are connection errors; answers of Redis and other errors are not', () => {
  const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' })
  const silent = new Error("Socket timeout. Expecting data, but didn't receive any in 20000ms.")
  const full = Object.assign(new Error("OOM command not allowed when used memory > 'maxmemory'."), {
    name: 'ReplyError',
  })
  expect(
    [reset, silent, new Error('Connection is closed.'), full, new Error('Missing lock')].map(isConnectionError),
  ).toEqual([true, true, true, false, false])
})
