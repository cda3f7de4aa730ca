import { afterAll, afterEach, beforeEach } from 'bun:test'
import { copyFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { HeldOrder } from '@bursar/contracts/held-orders'
import type { Log } from '@bursar/contracts/log'
import { tempDir } from '@bursar/testing'
import { setBack } from '@bursar/testing/service'
import { runFileName } from '../src/restore/run-file'
import { expectStatus, type TestWallets, testWallets } from './harness'
import { type Peers, startPeers } from './peers'

/** What a test has for itself. */
export interface Own {
  peers: Peers
  service: TestWallets
}

const isDatabase = (name: string) => name.startsWith('wallet.sqlite')

/** For each test of a file a service of its own with peers of its own, which `use` is given at each start. */
export function ownWallets(use: (own: Own) => void) {
  let own: Own
  const begin = async (peers: Peers, options?: { dataDir: string; log?: Log }) => {
    own = { peers, service: await testWallets(peers, options) }
    use(own)
  }
  beforeEach(() => begin(startPeers()))
  afterEach(async () => {
    await own.service.close()
    await own.peers.server.stop()
  })

  /** The process ends, and starts again on what it left on the disk, or on what is made of that. */
  async function restart(change: (dataDir: string, file: string) => unknown = () => {}, log?: Log): Promise<void> {
    const { dataDir, file } = own.service
    await own.service.close()
    await change(dataDir, file)
    await begin(own.peers, { dataDir, ...(log && { log }) })
  }
  const path = '/internal/held-orders'
  return {
    restart,
    /** What a backup has: the database, and not the run file. The service runs on. */
    async backup(): Promise<string> {
      const kept = tempDir()
      await restart((dataDir) => {
        for (const name of readdirSync(dataDir).filter(isDatabase)) copyFileSync(join(dataDir, name), join(kept, name))
      })
      return kept
    },
    /** The database is restored; what else is in the data folder stays. */
    restore: (from: string) =>
      restart((dataDir) => {
        for (const name of readdirSync(dataDir).filter(isDatabase)) rmSync(join(dataDir, name))
        for (const name of readdirSync(from)) copyFileSync(join(from, name), join(dataDir, name))
      }),
    /** The database is an older one, as far as its run file shows. */
    restored: () => restart((_, file) => setBack({ file }, runFileName)),
    /** The orders that wait for an operator. */
    held: async () =>
      expectStatus<{ items: HeldOrder[] }>(await own.service.get(path, own.service.operator), 200).items,
    /** What an operator does about one. */
    settle: (id: string, way: 'release' | 'fail' | 'paid', body: object = {}) =>
      own.service.post(`${path}/${id}/${way}`, body, own.service.operator),
    /** What the health report says of orders that wait. */
    waiting: async () => (await own.service.deps.health.read()).waiting ?? [],
  }
}

/** One service with its peers for all tests of a file; `prepare` makes the peers what they are when it starts. */
export async function sharedWallets(prepare: (peers: Peers) => void = () => {}): Promise<Own> {
  const peers = startPeers()
  prepare(peers)
  const service = await testWallets(peers)
  afterAll(async () => {
    await service.close()
    await peers.server.stop()
  })
  return { peers, service }
}
