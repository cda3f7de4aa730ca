import { expect, test } from 'bun:test'
import { fail } from '../errors'
import { createScanReport } from './scan-report'

test('of failures only our own messages are shown: others may hold a node’s URL', () => {
  const scans = createScanReport()
  const at = new Date()
  const shown = (error: unknown) => {
    scans.failed('base', error, at)
    return scans.of('base').lastError
  }
  const unknown = 'It failed for an unknown reason: see the log of the service'
  expect(shown(new Error('fetch of https://user:key@node.test failed'))).toEqual({
    at: at.toISOString(),
    message: unknown,
  })
  expect(shown(fail('UPSTREAM_ERROR', { message: 'A node of base failed' }))?.message).toBe('A node of base failed')
})

test('a network that has failed for ten minutes is told of, until it is read, or nobody here tries any more', () => {
  const scans = createScanReport()
  const minute = (n: number) => new Date(Date.parse('2026-03-01T12:00:00.000Z') + n * 60_000)
  const fails = (n: number) =>
    scans.failed('base', fail('UPSTREAM_ERROR', { message: 'A node of base failed' }), minute(n))
  for (let n = 0; n < 10; n++) {
    fails(n)
    expect(scans.waits(minute(n))).toBeNull()
  }
  fails(10)
  expect(scans.waits(minute(10))).toBe(
    'Deposits are not seen on base since 2026-03-01T12:00:00.000Z (A node of base failed): bun run doctor asks the nodes',
  )
  scans.failed('other', new Error('fetch of https://user:key@node.test failed'), minute(0))
  expect(scans.waits(minute(10))).not.toContain('other')
  // Another instance reads it now.
  expect(scans.waits(minute(16))).toBeNull()
  // It begins anew: others have read it meanwhile.
  fails(20)
  expect(scans.waits(minute(20))).toBeNull()
  for (let n = 21; n <= 30; n++) fails(n)
  expect(scans.waits(minute(30))).toContain('since 2026-03-01T12:20:00.000Z')
  scans.done('base', minute(30))
  expect(scans.waits(minute(30))).toBeNull()
})
