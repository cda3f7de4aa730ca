import { expect, test } from 'bun:test'
import type { Call } from '@bursar/contracts/call'
import { CallError, type Client } from '@bursar/http'
import { recorded } from '../../scripts/rotate/recorded'

const act = { service: 'webhook', action: 'ROTATE endpoint', object: 'e', request: {} }

/** A gateway that is away once an action has begun. */
function leaving() {
  const told: string[] = []
  const call = async ({ path }: Call) => {
    if (path === '/internal/acts') return { id: 'a' }
    throw new CallError('unreachable', 'gateway', 'The gateway service cannot be reached')
  }
  const run = <T>(work: () => Promise<T>) =>
    recorded({ call } as unknown as Client, act, work, (sentence) => void told.push(sentence))
  return { told, run }
}

test('a secret that was made is shown, also when its outcome cannot be written into the audit trail', async () => {
  const { told, run } = leaving()
  expect(await run(async () => 'whsec_new')).toBe('whsec_new')
  expect(told).toEqual([expect.stringContaining('(status 200): The gateway service cannot be reached')])
})

test('a failure is told as it was', async () => {
  const { told, run } = leaving()
  await expect(run(() => Promise.reject(new Error('The disk is full')))).rejects.toThrow('The disk is full')
  expect(told).toEqual([expect.stringContaining('(status 500)')])
})
