// Institutions that are paused, offboarded or deleted: decisions, Institutions that are PAUSED, OFFBOARDED or deleted.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Authorisation, OrderedState } from '@bursar/contracts/core-ledger'
import { PfiChanged } from '@bursar/contracts/main-api'
import { until } from '@bursar/testing'
import {
  type Account,
  destinationAddress,
  gatewayPath,
  phase,
  type RunningLedger,
  runLedger,
} from './execution-harness'
import { mark, pfiOf, setDeleted, setStatus, tell } from './institution-events'
import { newAccount } from './owners'

let running: RunningLedger
beforeAll(async () => {
  running = await runLedger()
})
afterAll(() => running.close())

/** How each state is come by, and the word for it. */
const ways = [
  ['PAUSED', (id: string) => setStatus(id, 'PAUSED', running.ledger), 'PAUSED'],
  ['OFFBOARDED', (id: string) => setStatus(id, 'OFFBOARDED', running.ledger), 'OFFBOARDED'],
  ['deleted', (id: string) => setDeleted(id, running.ledger), 'deleted'],
] as const

const withdrawalBody = ({ id: accountId }: Account) => ({
  accountId,
  network: running.asset.network,
  assetId: running.asset.id,
  amount: '1',
  destinationAddress,
})
const sentence = ({ id }: Account, state: string) =>
  `The institution of account ${id} is ${state}; only accounts of active institutions can be used`
/** Waits until it waits with this reason. */
const waiting = (id: string, reason: string) =>
  until(
    async () => {
      const found = await running.transaction(id)
      return found.status === 'APPROVED' && phase(found, 'execution')?.detail?.includes(reason)
    },
    { what: `${id} to wait: ${reason}` },
  )
const authorisation = async (id: string) => {
  const { ask, asService } = running.ledger
  const body = { items: [id] }
  const answer = await ask<{ items: Authorisation[] }>(
    'POST',
    '/internal/authorisations',
    body,
    await asService('wallet'),
  )
  return answer.body.items[0]
}
const ordered = (id: string) => running.wallet.started.filter((one) => one.id === id)

describe.each(ways)('of an institution that is %s', (_, hold, state) => {
  test('no new withdrawal, transfer out or in, or order of the blockchain service; all can be read', async () => {
    const id = Bun.randomUUIDv7()
    const own = await running.funded('10', { participantId: id })
    const omnibus = await running.funded('10', { type: 'OMNIBUS', customerId: null, participantId: id })
    const other = await running.funded('10', { participantId: Bun.randomUUIDv7() })
    await hold(id)
    const { ask, asService } = running.ledger
    const transfer = (from: Account, to: Account) => ({
      fromAccountId: from.id,
      toAccountId: to.id,
      assetId: running.asset.id,
      amount: '1',
    })
    for (const [path, body, account] of [
      ['/transactions/withdrawal', withdrawalBody(own), own],
      ['/transactions/withdrawal', withdrawalBody(omnibus), omnibus],
      ['/transactions/transfer', transfer(own, other), own],
      ['/transactions/transfer', transfer(other, own), own],
    ] as const) {
      const refused = await ask<{ message: string[] }>('POST', path, body)
      expect([refused.status, [refused.body.message].flat()]).toEqual([400, [sentence(account, state)]])
    }
    const order = {
      id: Bun.randomUUIDv7(),
      accountId: omnibus.id,
      network: running.asset.network,
      contractAddress: null,
      amount: '1',
      destinationAddress,
      reference: 'order',
    }
    const kept = await ask<OrderedState>('POST', '/internal/withdrawals', order, await asService('blockchain'))
    expect(kept.body).toMatchObject({ transactionId: null, reason: sentence(omnibus, state) })
    expect(await running.balance(own)).toEqual({ available: '10', frozen: '0' })
    const allowed = await ask('POST', '/transactions/withdrawal', withdrawalBody(other))
    expect(allowed.status).toBe(201)
  })

  test('an approved withdrawal waits with the reason, unordered, although its account is deleted meanwhile', async () => {
    const id = Bun.randomUUIDv7()
    const account = await running.funded('100', { participantId: id })
    const withdrawal = await running.withdraw(account, '40')
    await hold(id)
    running.owners.putAccount(newAccount({ ...account, status: 'deleted' }))
    await running.screen(withdrawal, true)
    await waiting(withdrawal, sentence(account, state))
    expect(ordered(withdrawal)).toEqual([])
    expect(await running.balance(account)).toEqual({ available: '60', frozen: '40' })
    expect((await authorisation(withdrawal))?.terms).toBeNull()
  })

  test('one that was ordered before gets no authorisation', async () => {
    const id = Bun.randomUUIDv7()
    const account = await running.funded('100', { participantId: id })
    const withdrawal = await running.withdraw(account, '40')
    running.wallet.script(withdrawal, 'accepted')
    await running.screen(withdrawal, true)
    await until(() => running.wallet.records.has(withdrawal))
    expect((await authorisation(withdrawal))?.terms).not.toBeNull()
    await hold(id)
    const refused = await authorisation(withdrawal)
    expect(refused?.terms).toBeNull()
    expect(refused?.reason).toStartWith(sentence(account, state))
    await waiting(withdrawal, sentence(account, state))
  })

  test('a deposit is recorded, and waits in suspense', async () => {
    const id = Bun.randomUUIDv7()
    const account = await running.ledger.account({ participantId: id })
    await hold(id)
    const deposit = await running.deposit(account, '5')
    await running.screen(deposit, true)
    await waiting(deposit, sentence(account, state))
    expect((await running.balance(account))?.available ?? '0').toBe('0')
  })

  test('an approved transfer waits, to and from', async () => {
    for (const side of ['from', 'to'] as const) {
      const id = Bun.randomUUIDv7()
      const from = await running.funded('10', side === 'from' ? { participantId: id } : {})
      const to = await running.ledger.account(side === 'to' ? { participantId: id } : {})
      const transfer = await running.transfer(from, to, '4')
      await hold(id)
      await running.screen(transfer, true)
      await waiting(transfer, sentence(side === 'from' ? from : to, state))
    }
  })

  test('a portfolio’s execution is not authorised, nor asked of the wallet service', async () => {
    const id = Bun.randomUUIDv7()
    const account = await running.ledger.account({ type: 'PORTFOLIO', participantId: id })
    const { ask, asService } = running.ledger
    const asked = () => ({
      id: Bun.randomUUIDv7(),
      accountId: account.id,
      network: 'testnet',
      takes: [],
      isOpaque: false,
    })
    const authorise = async () =>
      (await ask('POST', '/internal/authorisations/execution', asked(), await asService('wallet'))).body
    expect(await authorise()).toMatchObject({ isAuthorised: true })
    await hold(id)
    expect(await authorise()).toMatchObject({ isAuthorised: false, reason: sentence(account, state) })
    const execution = { accountId: account.id, chainId: 1, transactionData: { to: '0x1' } }
    const refused = await ask<{ message: string[] }>('POST', `${gatewayPath}/portfolio/execute`, execution)
    expect([refused.status, [refused.body.message].flat()]).toEqual([400, [sentence(account, state)]])
  })
})

describe('active again', () => {
  test('waiting ones are paid once and at once, before their next attempt', async () => {
    const slow = await runLedger({ tuning: { retry: { firstMs: 3_600_000, longestMs: 7_200_000 } } })
    const id = Bun.randomUUIDv7()
    const account = await slow.funded('100', { participantId: id })
    const withdrawal = await slow.withdraw(account, '40')
    const back = await slow.deposit(account, '5')
    await setStatus(id, 'PAUSED', slow.ledger)
    for (const each of [withdrawal, back]) {
      await slow.screen(each, true)
      await until(async () => phase(await slow.transaction(each), 'execution')?.detail?.includes('is PAUSED'))
    }
    await setStatus(id, 'APPROVED', slow.ledger)
    await slow.reached(back, 'COMPLETED')
    await slow.reached(withdrawal, 'COMPLETED')
    expect(slow.wallet.broadcasts.filter((one) => one === withdrawal)).toHaveLength(1)
    expect(await slow.balance(account)).toEqual({ available: '65', frozen: '0' })
    await slow.close()
  })

  test('an older event changes nothing', async () => {
    const id = Bun.randomUUIDv7()
    const account = await running.funded('10', { participantId: id })
    const [old, fresh] = [mark(), mark()]
    await tell(running.ledger, PfiChanged, { ...pfiOf(id, 'PAUSED'), ...fresh })
    await tell(running.ledger, PfiChanged, { ...pfiOf(id, 'APPROVED'), ...old })
    expect((await running.ledger.ask('POST', '/transactions/withdrawal', withdrawalBody(account))).status).toBe(400)
  })
})

describe('an institution that has ended', () => {
  test('an operator fails its approved withdrawal, and the hold is released; health reports that it waits', async () => {
    const id = Bun.randomUUIDv7()
    const one = await runLedger()
    const account = await one.funded('100', { participantId: id })
    const withdrawal = await one.withdraw(account, '40')
    const waits = async () => (await one.ledger.get('/health')).body.waiting ?? []
    await setStatus(id, 'PAUSED', one.ledger)
    await one.screen(withdrawal, true)
    await until(async () => phase(await one.transaction(withdrawal), 'execution')?.detail?.includes('is PAUSED'))
    // Another’s end must not make it one that waits for a person.
    await setStatus(Bun.randomUUIDv7(), 'OFFBOARDED', one.ledger)
    expect(await waits()).toEqual([])
    await setStatus(id, 'OFFBOARDED', one.ledger)
    await until(async () =>
      phase(await one.transaction(withdrawal), 'execution')?.detail?.includes('an operator fails it'),
    )
    expect((await waits()).join()).toContain(`POST /transactions/${withdrawal}/fail`)
    const failed = await one.ledger.ask('POST', `/transactions/${withdrawal}/fail`, { reason: 'Offboarded' })
    expect(failed.status).toBe(200)
    expect(await one.balance(account)).toEqual({ available: '100', frozen: '0' })
    expect(await waits()).toEqual([])
    await one.close()
  })
})
