import { join } from 'node:path'
import { openStore } from '@bursar/store'
import { freePort } from '@bursar/testing'
import { recordEvents } from '../../services/notification/src/events/record-events'
import { migrations } from '../../services/notification/src/service'
import { onServerCore } from './cores'
import { startProcess } from './processes'
import type { Subject } from './scenario'

const root = join(import.meta.dir, '../..')
const startMs = Date.UTC(2026, 0, 1)
const perCommit = 500

/** When the last event but `back` of so many was recorded. */
export const timeOf = (events: number, back: number): string => new Date(startMs + events - 1 - back).toISOString()

/** The notification service, as in production: its own process, its own database of so many events. */
export const notification = ({
  name = 'service',
  events,
  load,
}: { name?: string; events: number } & Pick<Subject, 'load'>): Subject => ({
  name,
  load,
  async start(place) {
    const folder = place.newFolder()
    await seedEvents(join(folder, 'notification.sqlite'), events)
    const port = String(await freePort())
    return await startProcess({
      command: [...onServerCore, ...place.bun, join(root, 'services/notification/src/main.ts')],
      env: { NODE_ENV: 'production', DATA_DIR: folder, NOTIFICATION_PORT: port, REDIS_URL: place.redisUrl },
      readyUrls: [`http://127.0.0.1:${port}/health`],
      log: join(folder, 'notification.log'),
    })
  },
})

/** By the service's own hand: of transactions without a participant, so that nothing is to be delivered. */
async function seedEvents(file: string, events: number): Promise<void> {
  const store = await openStore({ service: 'notification', file, migrations })
  const data = {
    type: 'DEPOSIT',
    status: 'COMPLETED',
    amount: '12.50',
    currency: 'USDC',
    fromParticipant: null,
    toParticipant: null,
  }
  for (let first = 0; first < events; first += perCommit) {
    const happenings = Array.from({ length: Math.min(perCommit, events - first) }, () => ({
      type: 'transaction.status_updated' as const,
      data: { ...data, transactionId: Bun.randomUUIDv7() },
    }))
    // A millisecond apart.
    await store.commit((tx) => recordEvents(tx, happenings, new Date(startMs + first)))
  }
  await store.close()
}
