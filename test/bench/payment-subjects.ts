import { join } from 'node:path'
import { freePort } from '@bursar/testing'
import { onServerCore } from './cores'
import { type PaymentsSize, seedPayments } from './payment-seed'
import { startProcess } from './processes'
import type { Subject } from './scenario'

const root = join(import.meta.dir, '../..')
/** Nobody answers there: the participants are known, and stay as they are. */
const noMainApi = 'http://127.0.0.1:1'

/** The transaction manager, as in production: its own process, its own database. */
export const transactionManager = ({ name = 'service', size }: { name?: string; size: PaymentsSize }): Subject => ({
  name,
  async start(place) {
    const folder = place.newFolder()
    await seedPayments(folder, size)
    const port = String(await freePort())
    return await startProcess({
      command: [...onServerCore, ...place.bun, join(root, 'services/transaction-manager/src/main.ts')],
      env: {
        NODE_ENV: 'production',
        DATA_DIR: folder,
        TRANSACTIONS_PORT: port,
        REDIS_URL: place.redisUrl,
        MAIN_URL: noMainApi,
      },
      readyUrls: [`http://127.0.0.1:${port}/health`],
      log: join(folder, 'transactions.log'),
    })
  },
})
