// The ledger's file against what the log tracker, the wallet service and the chain know of it: all of them real.
import { afterAll, beforeAll, expect } from 'bun:test'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openReadOnly } from '@bursar/store'
import { inOrder, until } from '@bursar/testing'
import { type TestPlatform, testPlatform } from '@bursar/testing/platform'
import { newestHead } from '../../services/log-tracker/src/ledger-heads/ledger-heads'
import { runCommand } from '../commands'

const outside = '0x742d35cc6634c0532925a3b844bc454e4438f44e'
let platform: TestPlatform
let assetId = ''
let accountId = ''
beforeAll(async () => {
  platform = await testPlatform(['customer', 'account', 'wallet', 'blockchain', 'core-ledger', 'log-tracker'])
  const eth = { code: 'ETH', name: 'Ether', decimalPlaces: 18, address: 'native', network: 'ethereum' }
  assetId = (await ledger().create('/assets', eth)).id
  const customer = await platform.to('customer').create('/customers', { externalId: 'c', status: 'active' })
  const account = { type: 'STABLECOINS', status: 'active', name: 'Main', customerId: customer.id }
  accountId = (await platform.to('account').create('/accounts', account)).id
  await platform.settle()
})
afterAll(() => platform.close())

const ledger = () => platform.to('core-ledger')
const file = (name: string) => join(platform.dataDir, name)
const statusOf = async (id: string) => (await ledger().get(`/transactions/${id}`)).body.status

/** Money comes in on the simulated chain, is seen, screened and credited. */
async function receive(amount: string): Promise<void> {
  const path = `/wallets/account/${accountId}/network/ethereum?createIfNotExists=true`
  const { address } = (await platform.to('wallet').get(path)).body
  await platform.to('blockchain').post('/simulated/ethereum/deposits', { address, asset: 'ETH', amount })
  const pending = await until(
    async () => (await ledger().get('/transactions?type=DEPOSIT&status=PENDING')).body[0] as { id: string } | undefined,
  )
  await ledger().post('/transactions/complete-screening', { id: (pending as { id: string }).id, isApproved: true })
  await until(async () => (await statusOf((pending as { id: string }).id)) === 'COMPLETED')
}

const withdraw = (amount: string) =>
  ledger().post('/transactions/withdrawal', {
    accountId,
    assetId,
    network: 'ethereum',
    amount,
    destinationAddress: outside,
  })

async function carriedOut(amount: string): Promise<string> {
  const { body } = await withdraw(amount)
  await ledger().post('/transactions/complete-screening', { id: body.id, isApproved: true })
  await until(async () => (await statusOf(body.id)) === 'COMPLETED')
  return body.id
}

/** Starts the ledger anew, which sends its head, and waits until the tracker has the head of its last seal. */
async function restarted(): Promise<void> {
  await platform.stop('core-ledger')
  await platform.start('core-ledger')
  const sealed = () => query(file('core.sqlite'), 'SELECT coalesce(max(last_seq), 0) AS seq FROM journal_seals')
  const given = () => query(file('core.sqlite'), 'SELECT coalesce(max(seq), 0) AS seq FROM journal')
  await until(() => sealed() === given())
  await platform.stop('core-ledger')
  await platform.start('core-ledger')
  await until(async () => (await headOfTracker()) === sealed())
}

function query(path: string, text: string): unknown {
  const database = openReadOnly(path)
  try {
    return database.rows(text)[0]?.seq
  } finally {
    database.close()
  }
}

async function headOfTracker(): Promise<number | undefined> {
  const database = openReadOnly(file('tracker.sqlite'))
  try {
    return (await newestHead(database.read).catch(() => undefined))?.lastSeq
  } finally {
    database.close()
  }
}

/** Its health, once it says that no money moves: at the start a busy machine may not have the tracker's answer in time. */
const closed = () =>
  until(
    async () => {
      const { body } = await ledger().get('/health')
      return body.waiting.join().includes('NEW_BOOKS=yes') && body
    },
    { what: 'its health to say that the books are closed' },
  )

const script = (name: string, ...words: string[]) =>
  runCommand(name, words, { env: { ...process.env, ...platform.env } })

inOrder('a ledger whose file is not the one that was sealed last', (step) => {
  step(
    'an older ledger moves no money; the reconciliation names what it does not know; NEW_BOOKS=yes goes on',
    async () => {
      await receive('5')
      await restarted()
      await platform.stop('core-ledger')
      cpSync(file('core.sqlite'), file('older.sqlite'))
      await platform.start('core-ledger')
      const paid = await carriedOut('1')
      await restarted()
      expect(await script('audit')).toMatchObject({ code: 0, out: expect.stringMatching(/is as it was sealed at/) })
      const agreed = await script('reconcile')
      expect([agreed.error, agreed.code]).toEqual(['', 0])
      expect(agreed.out).toMatch(
        /1 orders of the wallet service, 0 differ[\s\S]*ETH on ethereum: 4 owed, .* held on the simulated/,
      )

      await platform.stop('core-ledger')
      for (const end of ['', '-wal', '-shm']) rmSync(file(`core.sqlite${end}`), { force: true })
      cpSync(file('older.sqlite'), file('core.sqlite'))
      expect(await script('audit')).toMatchObject({
        code: 1,
        error: expect.stringMatching(/sealed up to entry 2; it was sealed up to entry 4/),
      })
      await platform.start('core-ledger')
      expect((await closed()).status).toBe('degraded')
      expect((await withdraw('1')).status).toBe(503)
      const differing = await script('reconcile', '--after-restore')
      expect([differing.error, differing.code]).toEqual(['', 1])
      expect(differing.out).toMatch(new RegExp(`withdrawal ${paid}: not known here, confirmed at the wallet service`))

      await platform.stop('core-ledger')
      platform.env.NEW_BOOKS = 'yes'
      await platform.start('core-ledger')
      delete platform.env.NEW_BOOKS
      expect((await withdraw('1')).status).toBe(201)
      await restarted()
      expect((await withdraw('1')).status).toBe(201)
      expect(await script('audit')).toMatchObject({ code: 0 })
    },
  )

  step('an empty ledger moves no money', async () => {
    await platform.stop('core-ledger')
    for (const end of ['', '-wal', '-shm']) rmSync(file(`core.sqlite${end}`), { force: true })
    await platform.start('core-ledger')
    expect(await script('audit')).toMatchObject({
      code: 1,
      error: expect.stringMatching(/those that were sealed last are/),
    })
    await closed()
    expect((await withdraw('1')).status).toBe(503)
  })
})
