import { join } from 'node:path'
import { freePort } from '@bursar/testing'
import { onServerCore } from './cores'
import { type Running, startProcess } from './processes'
import type { Subject } from './scenario'
import { seed } from './seed'

const root = join(import.meta.dir, '../..')

export interface QuoteOptions {
  name?: string
  /** Assets in its database. */
  assets: number
  /** True where it is written to: then it has a database of its own. */
  writes?: boolean
  env?: Record<string, string>
  /** What is done with it before it is measured. */
  prepare?: (running: Running) => Promise<void>
}

/** The quote service, as in production: its own process, JSON lines into a file. */
export const quote = ({
  name = 'service',
  assets,
  writes,
  env,
  prepare,
  ...rest
}: QuoteOptions & Pick<Subject, 'load'>): Subject => ({
  name,
  ...rest,
  async start(place) {
    const folder = writes ? place.newFolder() : await place.seeded(assets)
    const port = String(await freePort())
    const running = await startProcess({
      command: [...onServerCore, ...place.bun, join(root, 'services/quote/src/main.ts')],
      env: { NODE_ENV: 'production', DATA_DIR: folder, QUOTE_PORT: port, REDIS_URL: place.redisUrl, ...env },
      readyUrls: [`http://127.0.0.1:${port}/health`],
      log: join(place.newFolder(), 'quote.log'),
    })
    await prepare?.(running)
    return running
  },
})

/** Bun's own server, answering with what the first subject answers at a path. */
export const bare = (path: string): Subject => ({
  name: 'bare Bun.serve',
  floor: true,
  async start(place, [service]) {
    const answer = await fetch(`${service?.url}${path}`)
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    const file = join(place.newFolder(), 'answer')
    await Bun.write(file, await answer.bytes())
    return startFloor('bare.ts', place.newFolder(), [file, answer.headers.get('content-type') ?? ''])
  },
})

/** Prepared SQL behind Bun's own server, reading the database that the service reads. */
export const rawReads = (assets: number): Subject => ({
  name: 'raw SQL',
  floor: true,
  start: async (place) =>
    startFloor('raw-reads.ts', place.newFolder(), [join(await place.seeded(assets), 'quote.sqlite')]),
})

/** Prepared SQL behind Bun's own server, writing to a database of its own. */
export const rawWrites = (name: string, mode: 'grouped' | 'single'): Subject => ({
  name,
  floor: true,
  async start(place) {
    const folder = place.newFolder()
    await seed(folder, 0)
    return startFloor('raw-writes.ts', folder, [join(folder, 'quote.sqlite'), mode])
  },
})

async function startFloor(program: string, folder: string, args: string[]): Promise<Running> {
  const port = String(await freePort())
  return startProcess({
    command: [...onServerCore, process.execPath, join(import.meta.dir, 'floors', program), port, ...args],
    env: { NODE_ENV: 'production' },
    readyUrls: [`http://127.0.0.1:${port}/`],
    log: join(folder, 'floor.log'),
  })
}
