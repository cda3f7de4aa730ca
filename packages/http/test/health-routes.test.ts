import { expect, spyOn, test } from 'bun:test'
import { silentLog } from '@bursar/contracts/log'
import { createIdentity, createMetrics, plainHealth, service } from '../src'
import { send } from './sample-app'

const fine = async () => {}
const broken = (reason: string) => async () => {
  throw new Error(reason)
}

function appWith(options: { database?: () => Promise<void>; audit?: () => Promise<void>; auth?: 'required' }) {
  const { database = fine, audit = fine } = options
  const told: string[] = []
  const app = service({
    name: 'quote',
    version: '1',
    description: 'A sample.',
    shape: 'object',
    log: { ...silentLog, info: (fields) => void told.push(String((fields as { path: string }).path)) },
    metrics: createMetrics('quote', '1'),
    health: plainHealth('quote', '1', { database, audit }, { orders: async () => 'Two orders wait' }),
    ready: { database },
    identity: createIdentity('quote', Buffer.alloc(32, 3), () => new Date()),
    internalAuth: options.auth ?? 'optional',
    logReads: true,
  })
  const statusOf = async (path: string) => (await send(app, 'GET', path)).status
  const all = async () => [await statusOf('/health/live'), await statusOf('/health/ready'), await statusOf('/health')]
  return { app, told, all }
}

test('what waits for a person leaves a service live, ready and healthy', async () => {
  const { app, all } = appWith({})
  expect(await all()).toEqual([200, 200, 200])
  expect((await send(app, 'GET', '/v1/health')).body).toMatchObject({
    status: 'degraded',
    waiting: ['Two orders wait'],
  })
})

test('a check of the service’s own that fails leaves it ready; its database does not, and it is live all the same', async () => {
  expect(await appWith({ audit: broken('a sum is wrong') }).all()).toEqual([200, 200, 503])
  const { app, all } = appWith({ database: broken('disk full') })
  expect(await all()).toEqual([200, 503, 503])
  const { body } = await send(app, 'GET', '/health/ready')
  expect(body).toEqual({ status: 'error', timestamp: expect.any(String), error: 'database: disk full' })
})

test('checks that fail are named in their own order, whichever fails first', async () => {
  const later = async () => {
    await new Promise(setImmediate)
    throw new Error('disk full')
  }
  const { app } = appWith({ database: later, audit: broken('a sum is wrong') })
  const { body } = await send(app, 'GET', '/v1/health')
  expect(body).toMatchObject({ status: 'error', error: 'database: disk full; audit: a sum is wrong' })
})

test('whoever starts services needs no credentials for their health, and fills no log by asking', async () => {
  const { app, all, told } = appWith({ auth: 'required' })
  // What is slow has a line in any case, and a busy machine is slow.
  const clock = spyOn(performance, 'now').mockReturnValue(0)
  expect(await all()).toEqual([200, 200, 200])
  clock.mockRestore()
  expect((await send(app, 'GET', '/health/other')).status).toBe(401)
  expect(told).toEqual(['/health/other'])
})
