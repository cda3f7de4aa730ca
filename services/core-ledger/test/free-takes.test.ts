// What an execution takes counts until it is proved that all that it moved is in the books.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { ConfirmedMovement, ToldMovements } from '@bursar/contracts/blockchain'
import { ExecutionChanged, type KnownOrder, type WithdrawalState } from '@bursar/contracts/wallet'
import { pullMovements, retryWaiting } from '../src/portfolios/movements.consumer'
import { contract, type MovementBench, openMovementBench } from './movement-bench'
import { balanceOf, makeAsset } from './steps'

let it: MovementBench
let { ledger, bench, chain, clock, deliver } = {} as MovementBench
beforeEach(async () => {
  it = await openMovementBench()
  ;({ ledger, bench, chain, clock, deliver } = it)
})
afterEach(() => it.close())

const txHash = `0x${'5a'.repeat(32)}`
const moved = (kind: ConfirmedMovement['kind'], amount: string, fields: Partial<ConfirmedMovement> = {}) =>
  it.moved(kind, amount, { txHash, ...fields })
async function ask(amount: string, { id = Bun.randomUUIDv7(), takes = [{ contractAddress: contract, amount }] } = {}) {
  const body = { id, accountId: bench.accountId, network: 'ethereum', takes, isOpaque: false }
  const path = '/internal/authorisations/execution'
  const answer = await ledger.ask<{ reason: string | null }>('POST', path, body, await ledger.asService('wallet'))
  return { id, reason: answer.body.reason }
}
/** An execution that may take 60 of the 100. */
const taking60 = async () => {
  const { id, reason } = await ask('60000000')
  expect(reason).toBeNull()
  it.wallet.orders.set(id, known(id))
  return id
}
/** As the wallet service has it. */
const known = (id: string, fields: Partial<KnownOrder> = {}): KnownOrder => ({
  id,
  kind: 'execution',
  accountId: bench.accountId,
  network: 'ethereum',
  status: 'accepted',
  txHash: null,
  ...fields,
})
/** A restore has taken it from the wallet service as well. */
const forget = (id: string) => void it.wallet.orders.delete(id)
/** What is left for others. */
async function available(): Promise<string> {
  const { reason } = await ask('1000000000')
  return /; ([\d.]+) USD\d+ are available$/.exec(reason ?? '')?.[1] ?? `${reason}`
}
const envelope = (state: Partial<WithdrawalState> & { id: string }) => ({
  id: Bun.randomUUIDv7(),
  name: ExecutionChanged.name,
  type: ExecutionChanged.type,
  timestamp: '2026-01-01T00:00:00.000Z',
  requestId: null,
  service: 'wallet' as const,
  data: { status: 'confirmed', txHash, reason: null, accountId: bench.accountId, network: 'ethereum', ...state },
})
const changed = (id: string, state: Partial<WithdrawalState> = {}) => ledger.consume(envelope({ id, ...state }))
const tell = (...places: string[]) => chain.told.set(txHash, { places, unknownTokens: [], isWhole: true })
const pull = () => pullMovements(ledger.deps)
const later = () => {
  clock.now = new Date(clock.now.getTime() + 30 * 86_400_000)
}

test('it counts until it is posted, and not twice; the rest is available once all was reported', async () => {
  const id = await taking60()
  await changed(id)
  await deliver(moved('out', '10000000', { orderId: id }))
  expect(await available()).toBe('40')
  tell('out:1')
  await pull()
  expect(await available()).toBe('90')
})

test('its amount is not available before a movement arrives, however late', async () => {
  const id = await taking60()
  await changed(id)
  await pull()
  later()
  await pull()
  chain.told.set(txHash, { places: [], unknownTokens: [], isWhole: false })
  await pull()
  expect(await available()).toBe('40')
  await deliver(moved('out', '60000000', { orderId: id }))
  expect(await available()).toBe('40')
  tell('out:1')
  await pull()
  expect(await available()).toBe('40')
})

test('a movement whose event was lost blocks it until it is fetched', async () => {
  const id = await taking60()
  await changed(id)
  tell('out:1')
  await pull()
  later()
  await pull()
  expect(await available()).toBe('40')
  chain.listed = [moved('out', '10000000', { orderId: id })]
  await pull()
  expect(await available()).toBe('90')
})

test('one missing movement of several blocks all of it', async () => {
  const id = await taking60()
  await changed(id)
  await deliver(moved('out', '10000000', { orderId: id }))
  tell('out:1', 'out:2')
  await pull()
  expect(await available()).toBe('40')
})

test('the movement before the end, and both twice: the same', async () => {
  const id = await taking60()
  const out = moved('out', '10000000', { orderId: id })
  const confirmed = envelope({ id })
  await deliver(out)
  expect(await available()).toBe('40')
  for (const _ of [1, 2]) await ledger.consume(confirmed)
  await deliver(out)
  tell('out:1')
  await changed(id, { status: 'broadcast' })
  await pull()
  await changed(id)
  await deliver(out)
  expect(await available()).toBe('90')
})

test('an end whose event was lost is fetched', async () => {
  const id = await taking60()
  await deliver(moved('out', '10000000', { orderId: id }))
  tell('out:1')
  const state = { id, status: 'broadcast', txHash, reason: null } as const
  chain.sends.set(id, state)
  await pull()
  await pull()
  expect(await available()).toBe('40')
  chain.sends.set(id, { ...state, status: 'confirmed' })
  await pull()
  await pull()
  expect(await available()).toBe('90')
})

test('one that never reached the chain takes nothing; a reverted one may have cost its fee', async () => {
  const [unsent, reverted] = [await taking60(), Bun.randomUUIDv7()]
  await changed(unsent, { status: 'failed', txHash: null })
  expect(await available()).toBe('100')
  await ask('60000000', { id: reverted })
  await changed(reverted, { status: 'failed' })
  expect(await available()).toBe('40')
  expect((await ask('1', { id: reverted })).reason).toMatch(/has ended$/)
  await pull()
  expect(await available()).toBe('40')
  tell()
  await pull()
  expect(await available()).toBe('100')
})

test('one that is final stays as it became so, whatever a later event says of another transaction', async () => {
  const id = await taking60()
  await changed(id)
  await changed(id, { status: 'failed', txHash: `0x${'6b'.repeat(32)}` })
  tell()
  await pull()
  expect(await available()).toBe('100')
})

test('one that has not ended counts, however often movements are fetched', async () => {
  await taking60()
  tell()
  later()
  await pull()
  expect(await available()).toBe('40')
})

test('a movement that waits to be posted blocks it, if its asset is known here', async () => {
  const id = await taking60()
  await changed(id)
  await deliver(moved('out', '10000000', { orderId: id, decimals: 18 }))
  await deliver(moved('in', '5', { orderId: id, contractAddress: `0x${'ab'.repeat(20)}` }))
  tell('out:1', 'in:1')
  await pull()
  expect(await available()).toBe('40')
})

test('an unknown token blocks it only when the ledger has it as an asset', async () => {
  const unknown = `0x${'cd'.repeat(20)}`
  const id = await taking60()
  await changed(id)
  const told = (unknownTokens: string[]): ToldMovements => ({ places: [], unknownTokens, isWhole: true })
  await makeAsset(ledger, { address: unknown })
  chain.told.set(txHash, told([unknown]))
  await pull()
  expect(await available()).toBe('40')
  await deliver(moved('in', '5', { orderId: id, contractAddress: `0x${'ce'.repeat(20)}` }))
  chain.told.set(txHash, told([`0x${'cf'.repeat(20)}`]))
  await pull()
  expect(await available()).toBe('100')
})

test.each([
  ['ahead', 365],
  ['behind', -365],
])('a clock a year %s ends nothing and holds nothing up', async (_, days) => {
  const right = clock.now
  const jump = () => {
    clock.now = new Date(right.getTime() + days * 86_400_000)
  }
  jump()
  const id = await taking60()
  await changed(id)
  await pull()
  clock.now = right
  await pull()
  expect(await available()).toBe('40')
  const unknown = `0x${'cd'.repeat(20)}`
  jump()
  await deliver(moved('out', '10000000', { orderId: id }))
  await deliver(moved('in', '5000000', { orderId: id, contractAddress: unknown }))
  clock.now = right
  const assetId = await makeAsset(ledger, { address: unknown })
  await retryWaiting(ledger.deps)
  expect(await balanceOf(ledger, { ...bench, assetId })).toEqual(['5', '0', '5'])
  tell('out:1', 'in:1')
  await pull()
  expect(await available()).toBe('90')
})

test('one that the blockchain service has lost follows the wallet service', async () => {
  const id = await taking60()
  await pull()
  expect(await available()).toBe('40')
  it.wallet.orders.set(id, known(id, { status: 'confirmed', txHash }))
  await pull()
  tell()
  await pull()
  expect(await available()).toBe('100')
  const failed = await taking60()
  it.wallet.orders.set(failed, known(failed, { status: 'failed' }))
  await pull()
  expect(await available()).toBe('100')
})

test('one that nobody knows ends when the movements of its last transaction are posted', async () => {
  const id = await taking60()
  await changed(id, { status: 'broadcast' })
  forget(id)
  await pull()
  expect(await available()).toBe('40')
  tell('out:1')
  await pull()
  expect(await available()).toBe('40')
  await deliver(moved('out', '10000000'))
  await pull()
  expect(await available()).toBe('90')
  expect((await ask('1', { id })).reason).toMatch(/has ended$/)
})

test('one that nobody knows, and no chain has within the hour, ends; later movements are posted', async () => {
  const [sent, unsent] = [await taking60(), await ask('1000000')]
  await changed(sent, { status: 'broadcast' })
  forget(sent)
  clock.now = new Date(clock.now.getTime() + 59 * 60_000)
  await pull()
  expect(await available()).toBe('39')
  clock.now = new Date(clock.now.getTime() + 2 * 60_000)
  await pull()
  expect([unsent.reason, await available()]).toEqual([null, '100'])
  await deliver(moved('out', '10000000'))
  expect(await available()).toBe('90')
})

test('nothing ends while the wallet service is unavailable', async () => {
  const id = await taking60()
  forget(id)
  it.wallet.isAway = true
  later()
  await expect(pull()).rejects.toThrow()
  expect(await available()).toBe('40')
})
