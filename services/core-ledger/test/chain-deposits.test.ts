import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type ConfirmedDeposit, DepositConfirmed, DepositReversed } from '@bursar/contracts/blockchain'
import { waitingSince } from '@bursar/store'
import { type LocalServer, localServer, until } from '@bursar/testing'
import { assets } from '../src/assets/assets.table'
import { depositWorkers, retryUnmatched } from '../src/deposits/deposits.consumer'
import { unmatchedDeposits } from '../src/deposits/unmatched-deposits.table'
import { type Ledger, openLedger } from './harness'
import { newAccount, newCustomer, type Owners, testOwners } from './owners'
import { balanceOf, complete, depositOf, makeAsset, outside, screen, type Tx } from './steps'

let owners: Owners
let chain: LocalServer
let ledger: Ledger
/** The deposits that the blockchain service lists as confirmed. */
let listed: ConfirmedDeposit[]
beforeEach(async () => {
  listed = []
  owners = testOwners()
  chain = localServer((request) => {
    const after = Number(new URL(request.url).searchParams.get('after'))
    const items = listed.map((record, i) => ({ version: i + 1, record })).filter(({ version }) => version > after)
    return Response.json({ epoch: 7, items: items.slice(0, 2), more: items.length > 2 })
  })
  ledger = await openLedger({ owners, urls: { blockchain: chain.url } })
})
afterEach(async () => {
  await ledger.close()
  await Promise.all([chain.stop(), owners.stop()])
})

const contract = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const confirmed = (fields: Partial<ConfirmedDeposit>): ConfirmedDeposit => ({
  id: Bun.randomUUIDv7(),
  network: 'ethereum',
  txHash: `0x${crypto.randomUUID().replaceAll('-', '').repeat(2)}`,
  logIndex: 0,
  accountId: Bun.randomUUIDv7(),
  address: outside,
  sourceAddress: outside,
  contractAddress: contract,
  amount: '1500000',
  decimals: 6,
  confirmedAt: '2026-01-01T00:00:00.000Z',
  reversedAt: null,
  ...fields,
})
const deliver = (data: ConfirmedDeposit, event: typeof DepositConfirmed | typeof DepositReversed = DepositConfirmed) =>
  ledger.consume({
    id: Bun.randomUUIDv7(),
    name: event.name,
    type: event.type,
    timestamp: data.confirmedAt,
    requestId: null,
    service: 'blockchain',
    data,
  })
const recorded = async () => (await ledger.ask<Tx[]>('GET', '/transactions')).body
const unmatched = async () => (await ledger.store.read.select().from(unmatchedDeposits)).map(({ reason }) => reason)
const alarms = async () =>
  (await ledger.events()).filter(({ data }) => (data as { event_type?: string }).event_type === 'ERROR_OCCURRED')

describe('a deposit that the blockchain service has confirmed', () => {
  test('is recorded for its account, by network and contract in any notation, and credited when screened', async () => {
    const assetId = await makeAsset(ledger, { address: contract.toLowerCase() })
    const { id: accountId, customerId } = await ledger.account()
    const data = confirmed({ accountId, network: ' Ethereum', txHash: 'AB'.repeat(32), logIndex: 3 })
    await deliver(data)
    const [deposit, ...more] = await recorded()
    expect(more).toEqual([])
    expect(deposit).toMatchObject({
      type: 'DEPOSIT',
      status: 'PENDING',
      accountId,
      customerId,
      assetId,
      amount: '1.5',
      network: 'ethereum',
      sourceAddress: outside,
      txHash: `0x${'ab'.repeat(32)}`,
    })
    await screen(ledger, deposit?.id ?? '', true)
    await complete(ledger, deposit?.id ?? '')
    expect(await balanceOf(ledger, { accountId, assetId, customerId })).toEqual(['1.5', '0', '1.5'])
  })

  test('of the native coin has no contract', async () => {
    await makeAsset(ledger, { address: contract })
    const assetId = await makeAsset(ledger, { address: 'native', decimalPlaces: 18 })
    const { id: accountId } = await ledger.account()
    await deliver(confirmed({ accountId, contractAddress: null, decimals: 18, amount: '1' }))
    expect(await recorded()).toMatchObject([{ assetId, amount: '0.000000000000000001' }])
  })

  test('is one deposit, however often it arrives and by any way', async () => {
    const assetId = await makeAsset(ledger, { address: contract })
    const { id: accountId } = await ledger.account()
    const data = confirmed({ accountId })
    await deliver(data)
    await deliver({ ...data, txHash: data.txHash.slice(2).toUpperCase(), network: 'ETHEREUM' })
    const bench = { assetId, accountId, customerId: '' }
    const body = depositOf(bench, '1.5', { txHash: data.txHash.slice(2), sourceAddress: outside })
    expect((await ledger.ask('POST', '/transactions/deposit', body)).status).toBe(200)
    listed = [data]
    const workers = depositWorkers(ledger.deps)
    await until(() => chain.requests.length > 0)
    await Promise.all(workers.map((worker) => worker.stop()))
    expect(await recorded()).toHaveLength(1)
    expect(await unmatched()).toEqual([])
  })

  test('for an account without an event yet is recorded: its owner is asked', async () => {
    await makeAsset(ledger, { address: contract })
    const customer = newCustomer()
    const account = newAccount({ customerId: customer.id })
    owners.putCustomer(customer)
    owners.putAccount(account)
    await deliver(confirmed({ accountId: account.id }))
    expect(await recorded()).toMatchObject([{ accountId: account.id, customerId: customer.id }])
  })

  test('whose event was lost is fetched', async () => {
    await makeAsset(ledger, { address: contract })
    const { id: accountId } = await ledger.account()
    listed = Array.from({ length: 5 }, () => confirmed({ accountId }))
    const workers = depositWorkers(ledger.deps)
    await until(async () => (await recorded()).length === 5)
    await Promise.all(workers.map((worker) => worker.stop()))
  })
})

const inAMinute = () => new Date(Date.now() + 61_000)

describe('a deposit that matches nothing here', () => {
  test('of an unknown asset is not credited, has one line in the tracker, and is recorded once the asset is known', async () => {
    const { id: accountId } = await ledger.account()
    const data = confirmed({ accountId })
    await deliver(data)
    await deliver(data)
    await retryUnmatched(ledger.deps)
    expect(await recorded()).toEqual([])
    expect(await unmatched()).toEqual(['No asset has this network and contract'])
    expect(await alarms()).toMatchObject([
      { data: { status: 'FAILURE', metadata: { deposit_id: data.id, account_id: accountId, tx_hash: data.txHash } } },
    ])
    await makeAsset(ledger, { address: contract })
    await retryUnmatched(ledger.deps, inAMinute())
    expect(await recorded()).toMatchObject([{ amount: '1.5', txHash: data.txHash }])
    expect(await unmatched()).toEqual([])
  })

  test('many of them do not delay a later one', async () => {
    const { id: accountId } = await ledger.account()
    const old = Array.from({ length: 600 }, () => confirmed({ accountId, network: 'nowhere' }))
    const reason = 'No asset has this network and contract'
    const since = new Date(Date.now() - 3_600_000)
    await ledger.store.commit(async (tx) => {
      for (const deposit of old) {
        await tx
          .insert(unmatchedDeposits)
          .values({ id: deposit.id, deposit, reason, ...waitingSince(since), createdAt: since })
      }
    })
    await deliver(confirmed({ accountId }))
    await makeAsset(ledger, { address: contract })
    await retryUnmatched(ledger.deps)
    expect(await recorded()).toMatchObject([{ amount: '1.5', accountId }])
  })

  test('of an unknown account waits for it', async () => {
    await makeAsset(ledger, { address: contract })
    const account = newAccount()
    await deliver(confirmed({ accountId: account.id }))
    expect(await unmatched()).toEqual([`Account ${account.id} not found`])
    owners.putAccount(account)
    await retryUnmatched(ledger.deps)
    expect(await recorded()).toMatchObject([{ accountId: account.id }])
  })

  test('taken back by its chain while it is retried is not recorded', async () => {
    await makeAsset(ledger, { address: contract })
    const account = newAccount()
    const data = confirmed({ accountId: account.id })
    await deliver(data)
    owners.putAccount(account)
    const { client } = ledger.deps
    const find: typeof client.find = async (...asked) => {
      await deliver(
        { ...data, reversedAt: new Date(Date.parse(data.confirmedAt) + 1000).toISOString() },
        DepositReversed,
      )
      return await client.find(...asked)
    }
    await retryUnmatched({ ...ledger.deps, client: { ...client, find } })
    expect([await recorded(), await unmatched()]).toEqual([[], []])
  })

  test.each([
    ['other decimals', { decimals: 18 }, /^USD\d+ has 6 decimals here, 18 on its chain/, '0.0000000000015'],
    ['no amount', { amount: '0' }, /^The amount is not above 0/, '0'],
    ['an amount that is not a whole number', { amount: '1.5' }, /^The amount is not above 0/, '0'],
    ['another network', { network: 'polygon' }, /^No asset has this network/, '1.5'],
    ['no contract', { contractAddress: null }, /^No asset has this network/, '1.5'],
  ])('with %s', async (_, fields, reason, amount) => {
    await makeAsset(ledger, { address: contract })
    const { id: accountId } = await ledger.account()
    await deliver(confirmed({ accountId, ...fields }))
    expect(await recorded()).toEqual([])
    expect(await unmatched()).toEqual([expect.stringMatching(reason)])
    expect(await alarms()).toMatchObject([{ data: { metadata: { amount } } }])
  })

  test('when several assets have its contract, or the transfer is recorded with different contents', async () => {
    const assetId = await makeAsset(ledger, { address: contract })
    const { id: accountId } = await ledger.account()
    const data = confirmed({ accountId })
    const body = depositOf({ assetId, accountId, customerId: '' }, '7', { txHash: data.txHash })
    expect((await ledger.ask('POST', '/transactions/deposit', body)).status).toBe(201)
    await deliver(data)
    expect(await unmatched()).toEqual([expect.stringMatching(/is recorded as transaction .*, with another account/)])
    // As a ledger from before may have it.
    const [twin] = await ledger.store.read.select().from(assets)
    if (!twin) throw new Error('There is no asset')
    const other = { ...twin, id: Bun.randomUUIDv7(), code: 'TWIN', contractAddress: contract.toLowerCase() }
    await ledger.store.commit(async (tx) => void (await tx.insert(assets).values(other)))
    await deliver(confirmed({ accountId }))
    expect((await unmatched()).at(-1)).toMatch(/^Several assets have this network and contract/)
    expect(await recorded()).toHaveLength(1)
  })
})
