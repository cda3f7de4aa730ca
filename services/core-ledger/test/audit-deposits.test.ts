import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { KnownTransfer } from '@bursar/contracts/blockchain'
import { eq } from '@bursar/store'
import { type LocalServer, localServer } from '@bursar/testing'
import { auditDeposits, noFigures } from '../src/audit/audit-deposits'
import { AuditDifference } from '../src/audit/audit-difference'
import { createAuditor } from '../src/audit/auditor'
import { recordConfirmed } from '../src/deposits/record-confirmed'
import { putChainTransfer } from '../src/movements/chain-transfers'
import { chainTransfers } from '../src/movements/chain-transfers.table'
import { type Ledger, openLedger } from './harness'
import { type Bench, complete, makeAsset, outside, owner, pay, screen, type Tx } from './steps'

const contract = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

/** The blockchain service: what it knows of each transaction; null: its network cannot be asked. */
let chain: LocalServer
let known: Map<string, KnownTransfer[] | null>
let ledger: Ledger
let bench: Bench
beforeEach(async () => {
  known = new Map()
  chain = localServer(async (request) => {
    const { items } = (await request.json()) as { items: { network: string; txHash: string }[] }
    return Response.json({ items: items.map(({ txHash }) => (known.has(txHash) ? known.get(txHash) : [])) })
  })
  ledger = await openLedger({ urls: { blockchain: chain.url } })
  bench = { assetId: await makeAsset(ledger, { address: contract }), ...(await owner(ledger)) }
})
afterEach(async () => {
  await ledger.close()
  await chain.stop()
})

const audit = async (isProduction = true) => {
  const figures = noFigures()
  try {
    for await (const _ of auditDeposits(
      { read: ledger.store.read, client: ledger.deps.client, isProduction },
      figures,
    ));
    return figures
  } catch (error) {
    if (error instanceof AuditDifference) return error.message
    throw error
  }
}

const transfer = (fields: Partial<KnownTransfer> = {}): KnownTransfer => ({
  logIndex: 2,
  accountId: bench.accountId,
  sourceAddress: outside,
  toAddress: outside,
  contractAddress: contract.toLowerCase(),
  amount: '1000000',
  isFinal: true,
  ...fields,
})

/** A credited deposit that the chain has told of. */
async function seen(fields: Partial<KnownTransfer> = {}): Promise<{ id: string; txHash: string }> {
  const txHash = `0x${crypto.randomUUID().replaceAll('-', '').repeat(2)}`
  const place = { id: Bun.randomUUIDv7(), network: 'ethereum', txHash, logIndex: 2, accountId: bench.accountId }
  const what = { address: outside, sourceAddress: outside, contractAddress: contract, amount: '1000000', decimals: 6 }
  const at = { confirmedAt: '2026-01-01T00:00:00.000Z', reversedAt: null }
  await ledger.store.commit((tx) => recordConfirmed(tx, { ...place, ...what, ...at }, new Date()))
  const { body } = await ledger.ask<Tx[]>('GET', '/transactions?status=PENDING')
  const id = body.at(-1)?.id ?? ''
  await screen(ledger, id, true)
  await complete(ledger, id)
  known.set(txHash, [transfer(fields)])
  return { id, txHash }
}

test('credited deposits on their chains pass; more than one batch', async () => {
  for (let i = 0; i < 3; i++) await seen()
  expect(await audit()).toEqual({ onChain: 3, byHand: 0, reversed: 0, notCompared: 0 })
})

test.each([
  ['is not there at all', null],
  ['is not final', { isFinal: false }],
  ['is another account’s', { accountId: Bun.randomUUIDv7() }],
  ['has another amount', { amount: '999999' }],
  ['is of another contract', { contractAddress: null }],
  ['has another index', { logIndex: 3 }],
])('one whose transfer %s is a difference, in the sandbox as well', async (_, fields) => {
  const { id, txHash } = await seen(fields ?? {})
  if (fields === null) known.delete(txHash)
  for (const isProduction of [true, false]) expect(await audit(isProduction)).toStartWith(`Deposit ${id} was credited`)
})

test('one recorded by hand is named as such in the sandbox, and a difference in production', async () => {
  const { id } = await pay(ledger, bench, '1')
  expect(await audit(false)).toEqual({ onChain: 0, byHand: 1, reversed: 0, notCompared: 0 })
  expect(await audit(true)).toStartWith(`Deposit ${id} was credited`)
})

test('a forged second deposit of the same transfer is a difference', async () => {
  const { txHash } = await seen()
  const forged = await pay(ledger, bench, '1')
  known.set(`${forged.txHash}`, [transfer()])
  expect(await audit()).toMatchObject({ onChain: 2 })
  const key = `ethereum ${forged.txHash} 2`
  await ledger.store.commit(
    async (tx) =>
      void (await tx
        .update(chainTransfers)
        .set({ key })
        .where(eq(chainTransfers.key, `ethereum ${txHash} 2`))),
  )
  expect(await audit()).toStartWith('Deposit ')
})

test('one recorded by hand that has the transfer of another deposit is a difference', async () => {
  const { id, txHash } = await pay(ledger, bench, '1')
  known.set(`${txHash}`, [transfer()])
  expect(await audit()).toMatchObject({ onChain: 1 })
  const place = { key: `ethereum ${txHash} 2`, transactionId: Bun.randomUUIDv7() }
  await ledger.store.commit((tx) => putChainTransfer(tx, { ...place, confirmedAt: new Date(), reversedAt: null }))
  expect(await audit()).toStartWith(`Deposit ${id} was credited`)
})

test('reversed ones are counted separately; an unavailable network is not compared', async () => {
  const { txHash } = await seen()
  const { txHash: away } = await seen()
  known.set(away, null)
  await ledger.store.commit(
    async (tx) =>
      void (await tx
        .update(chainTransfers)
        .set({ reversedAt: new Date() })
        .where(eq(chainTransfers.key, `ethereum ${txHash} 2`))),
  )
  known.delete(txHash)
  expect(await audit()).toEqual({ onChain: 0, byHand: 0, reversed: 1, notCompared: 1 })
})

test('the service’s own audit finds it, and retries when the blockchain service was unavailable', async () => {
  const { id, txHash } = await seen()
  const auditor = createAuditor({ pause: async () => {} })
  await auditor.round(ledger.store, ledger.deps.client)
  expect(auditor.difference()).toBeUndefined()
  known.delete(txHash)
  const answer = async (request: Request) => {
    const { items } = (await request.json()) as { items: unknown[] }
    return Response.json({ items: items.map(() => []) })
  }
  chain.answer(() => new Response('busy', { status: 503 }))
  for (let i = 0; i < 2; i++) await auditor.round(ledger.store, ledger.deps.client)
  expect(auditor.difference()).toBeUndefined()
  chain.answer(answer)
  for (let i = 0; i < 2; i++) await auditor.round(ledger.store, ledger.deps.client)
  expect(auditor.difference()).toStartWith(`Deposit ${id} was credited`)
})
