// A backup, payments, a restore: what was paid since the backup is not paid again. The chain (litesvm) is outside of it.
import { afterAll, beforeAll, expect } from 'bun:test'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ServiceName } from '@bursar/contracts/services'
import { getDeploymentHoldings, getWithdrawal } from '@bursar/contracts/wallet'
import { inOrder, tempDir, until } from '@bursar/testing'
import { type TestPlatform, testPlatform } from '@bursar/testing/platform'
import { openBank, type SolanaBank, sol } from '../../services/blockchain/test/solana/solana-bank'
import { type SolanaNode, solanaNode } from '../../services/blockchain/test/solana/solana-node'
import { runCommand } from '../commands'
import { type Coin, type OnChainMoney, onChainMoney } from '../e2e/on-chain-money'

const names: ServiceName[] = ['customer', 'account', 'core-ledger', 'wallet', 'blockchain']
const coin: Coin = { network: 'solana', code: 'SOL', decimals: 9, contract: null }
let node: SolanaNode
let bank: SolanaBank
let platform: TestPlatform
let money: OnChainMoney
let accountId: string
/** Ordered at the backup, and paid after it. */
let ordered: string
/** Not approved at the backup; approved and paid after it. */
let approvedLater: string
/** Not approved at the backup, nor before the restore. */
let neverPaid: string

beforeAll(async () => {
  node = solanaNode()
  bank = await openBank(node)
  platform = await testPlatform(names, { SOLANA_RPC_URLS: node.url, NETWORK_POLL_MS: '20' })
  money = onChainMoney(platform, () => node.finalize())
  await money.newAsset(coin)
  const { items } = await money.calls().call(getDeploymentHoldings, { params: { network: 'solana' } })
  node.fund(items[0]?.address as string, sol)
  accountId = await money.newAccount()
  await bank.pay(10n * sol, await money.walletOf(accountId, 'solana'))
  await money.credited(accountId)
})
afterAll(async () => {
  await platform?.close()
  await node?.stop()
})

const run = (script: string, args: string[], env: Record<string, string> = {}) =>
  runCommand(script, args, { env: { PATH: process.env.PATH, ...platform.env, ...env } })
const walletState = async (id: string) => (await money.calls().find(getWithdrawal, { params: { id } }))?.status
const held = async () => (await run('wallet-held', [])).said
/** Once Redis has answered in time: on a busy machine it may not. */
const health = () =>
  until(async () => {
    const { body } = await platform.to('wallet', '').get('/health')
    return body.status !== 'error' && body
  })
const paidTimes = (id: string) => node.processed.filter(({ signature }) => signature === hashes.get(id)).length
const hashes = new Map<string, string>()
/** The wallet service's database, and the copy that is taken of it while it is stopped. */
const file = () => join(platform.dataDir, 'wallet.sqlite')
const copy = join(tempDir(), 'wallet.sqlite')
async function copyOf(from: string, to: string) {
  for (const end of ['', '-wal', '-shm']) {
    rmSync(to + end, { force: true })
    if (existsSync(from + end)) await Bun.write(to + end, Bun.file(from + end))
  }
}
const restartAll = async (work: () => Promise<void>) => {
  await Promise.all(names.map((name) => platform.stop(name)))
  await platform.redis.restart({ empty: true })
  await work()
  await Promise.all(names.map((name) => platform.start(name)))
}

inOrder('a restore, and what was ordered before it', (step) => {
  step('after a restore the orders from before it wait, and the health answer says so', async () => {
    await platform.stop('blockchain')
    ordered = await money.withdraw(accountId, coin, '1', bank.address)
    await until(async () => (await walletState(ordered)) === 'accepted', { what: 'the order to be accepted' })
    approvedLater = await money.order(accountId, coin, '2', bank.address)
    neverPaid = await money.order(accountId, coin, '3', bank.address)
    const folder = join(tempDir(), 'copy')
    expect(await run('backup', [folder])).toMatchObject({ code: 0 })
    expect(readdirSync(folder)).not.toContain('wallet.run')
    await platform.start('blockchain')
    await money.screen(approvedLater)
    for (const id of [ordered, approvedLater]) {
      hashes.set(id, (await money.reached(id, 'COMPLETED')).txHash as string)
      expect(paidTimes(id)).toBe(1)
    }
    const paid = node.processed.length
    await restartAll(async () => {
      const { REDIS_URL: _, ...env } = platform.env as Record<string, string>
      expect(await run('restore', [folder, '--incomplete'], { ...env, REDIS_URL: '' })).toMatchObject({ code: 0 })
    })
    expect((await money.transactionOf(ordered)).status).toBe('APPROVED')
    // As whoever screens does again: for this ledger it has not happened.
    await money.screen(approvedLater)
    await money.screen(neverPaid)
    const all = [ordered, approvedLater, neverPaid]
    await until(async () => (await Promise.all(all.map(walletState))).every((state) => state === 'accepted'), {
      what: 'the orders to be with the wallet service again',
    })
    const list = await held()
    for (const id of all) expect(list).toContain(id)
    expect(await health()).toMatchObject({
      status: 'degraded',
      waiting: [expect.stringContaining('3 orders from before a restore wait for an operator')],
    })
    // Time enough for each to be tried several times.
    const before = node.requests.length
    await until(() => node.requests.length > before + 40, { what: 'the chain to be looked at' })
    expect(node.processed).toHaveLength(paid)
    expect((await Promise.all(all.map(walletState))).every((state) => state === 'accepted')).toBe(true)
  })

  step('an order that was paid is settled by its hash, if the chain knows it and it went there', async () => {
    const wrong = await run('wallet-held', ['--paid', ordered, '--hash', '1'.repeat(64)])
    expect(wrong).toMatchObject({ code: 1, said: expect.stringContaining('does not know the transaction') })
    const paid = node.processed.length
    const settle = async (id: string) => {
      expect(await run('wallet-held', ['--paid', id, '--hash', hashes.get(id) as string])).toMatchObject({ code: 0 })
      expect(await money.reached(id, 'COMPLETED')).toMatchObject({ txHash: hashes.get(id) })
    }
    await Promise.all([ordered, approvedLater].map(settle))
    expect(node.processed).toHaveLength(paid)
  })

  step('it goes on waiting after a restart; released, it is paid, and so are new ones all along', async () => {
    await restartAll(async () => {})
    expect(await held()).toContain(neverPaid)
    const fresh = await money.withdraw(accountId, coin, '0.5', bank.address)
    await money.reached(fresh, 'COMPLETED')
    expect(await walletState(neverPaid)).toBe('accepted')
    expect(await run('wallet-held', ['--release', neverPaid])).toMatchObject({ code: 0 })
    await money.reached(neverPaid, 'COMPLETED')
    expect(await money.balanceOf(accountId, coin)).toEqual(['3.5', '0', '3.5'])
    expect((await health()).status).toBe('ok')
    expect(await run('wallet-held', ['--end'])).toMatchObject({ code: 0 })
    await restartAll(() => copyOf(file(), copy))
    expect(await held()).toContain('Nothing waits')
  })

  step('a database that was put back by hand is found by the run file that it does not agree with', async () => {
    await money.reached(await money.withdraw(accountId, coin, '0.25', bank.address), 'COMPLETED')
    expect(await held()).toContain('Nothing waits')
    await restartAll(() => copyOf(copy, file()))
    expect(await held()).toContain('Orders from before')
  })

  step(
    'the wallet service forgets what it accepted, with its run file: the ledger orders it anew, and it waits',
    async () => {
      expect(await run('wallet-held', ['--end'])).toMatchObject({ code: 0 })
      const runFile = join(platform.dataDir, 'wallet.run')
      const keptRun = join(tempDir(), 'wallet.run')
      await restartAll(async () => {
        await copyOf(file(), copy)
        await Bun.write(keptRun, Bun.file(runFile))
      })
      await platform.stop('blockchain')
      const id = await money.withdraw(accountId, coin, '0.125', bank.address)
      await until(async () => (await walletState(id)) === 'accepted', { what: 'the order to be accepted' })
      await platform.stop('wallet')
      await copyOf(copy, file())
      await Bun.write(runFile, Bun.file(keptRun))
      await platform.start('wallet')
      await platform.start('blockchain')
      await until(async () => (await held()).includes(id), { what: 'the order to be listed' })
      const stuck = async () => JSON.stringify((await platform.to('core-ledger', '').get('/transactions/stuck')).body)
      await until(async () => (await stuck()).includes('was accepted before'), {
        what: 'its reason',
      })
      expect(paidTimes(id)).toBe(0)
      expect(await run('wallet-held', ['--release', id])).toMatchObject({ code: 0 })
      await money.reached(id, 'COMPLETED')
      expect((await health()).status).toBe('ok')
    },
  )
})
