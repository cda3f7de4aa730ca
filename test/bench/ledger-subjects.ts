import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@bursar/testing'
import { onServerCore } from './cores'
import type { Load } from './drive'
import { type LedgerSize, seedLedger } from './ledger-seed'
import { type Running, startProcess } from './processes'
import type { Place, Subject } from './scenario'

const root = join(import.meta.dir, '../..')
const large = 400_000
const made = new Map<string, Promise<string>>()

/** A folder with the core ledger's database of that size. Each size is made once, and copied but for a large one. */
async function ledgerFolder(place: Place, size: LedgerSize): Promise<string> {
  const key = JSON.stringify(size)
  const making = made.get(key) ?? makeLedger(place, size)
  made.set(key, making)
  // The large ones are asked for once: no copy.
  if (size.deposits >= large) return await making
  const folder = place.newFolder()
  copyFileSync(join(await making, 'core.sqlite'), join(folder, 'core.sqlite'))
  return folder
}

async function makeLedger(place: Place, size: LedgerSize): Promise<string> {
  const folder = place.newFolder()
  await seedLedger(folder, size)
  return folder
}

export interface LedgerOptions {
  name?: string
  size: LedgerSize
  load?: Load
}

/** The core ledger, as in production: its own process, its own copy of the database, no wallet service. */
export const ledger = ({ name = 'service', size, load }: LedgerOptions): Subject => ({
  name,
  load,
  start: async (place) => startLedger(place, await ledgerFolder(place, size)),
})

/** Nobody answers there: approved withdrawals wait. */
const noWallet = 'http://127.0.0.1:1'

/** The core ledger's process over the database in a folder. */
export async function startLedger(
  place: Pick<Place, 'redisUrl' | 'bun'>,
  folder: string,
  walletUrl = noWallet,
): Promise<Running> {
  const port = String(await freePort())
  return await startProcess({
    command: [...onServerCore, ...place.bun, join(root, 'services/core-ledger/src/main.ts')],
    env: {
      NODE_ENV: 'production',
      DATA_DIR: folder,
      CORE_PORT: port,
      REDIS_URL: place.redisUrl,
      WALLET_URL: walletUrl,
    },
    readyUrls: [`http://127.0.0.1:${port}/health`],
    log: join(folder, 'core.log'),
  })
}

/** The same statements by hand in the same batches, behind Bun's own server and over the same database. */
export const rawLedger = ({ name = 'raw SQL, grouped', size, load }: LedgerOptions): Subject => ({
  name,
  load,
  floor: true,
  async start(place) {
    const folder = await ledgerFolder(place, size)
    const port = String(await freePort())
    const program = join(import.meta.dir, 'floors/ledger.ts')
    return await startProcess({
      command: [...onServerCore, process.execPath, program, port, join(folder, 'core.sqlite')],
      env: { NODE_ENV: 'production' },
      readyUrls: [`http://127.0.0.1:${port}/`],
      log: join(folder, 'floor.log'),
    })
  },
})
