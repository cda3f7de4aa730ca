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
