import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { TransactionState } from '@bursar/contracts/core-ledger'
import { type LocalServer, localServer } from '@bursar/testing'
import { auditAll } from '../src/audit/audit'
import { retryTuning } from '../src/movements/execution-queue'
import { sealJournal } from '../src/seals/seal-journal'
import { createRecheck } from '../src/withdrawals/recheck'
import { type RunningLedger, runLedger } from './execution-harness'
import { reason, returning } from './return-harness'
import { decisionsOf } from './steps'

let quote: LocalServer
let running: RunningLedger
let it: ReturnType<typeof returning>
beforeAll(async () => {
  quote = localServer(({ url }) =>
    new URL(url).pathname.startsWith('/internal/rates/highest/')
      ? Response.json({ message: 'No rate' }, { status: 404 })
      : Response.json({ rate: 1, currency: 'USD', isStatic: false }, { status: 201 }),
  )
  running = await runLedger({ env: { FOUR_EYES_USD: '1000' }, quote: quote.url })
  it = returning(running)
})
beforeEach(() => running.wallet.addresses.own.clear())
afterAll(async () => {
  await sealJournal(running.ledger.deps)
  await auditAll(running.ledger.store)
  await running.close()
  await quote.stop()
})

describe('POST /transactions/:id/return', () => {
  test('a rejected deposit goes back to its source: held, screened, ordered, and COMPLETED by the chain', async () => {
    const { id, account } = await it.rejected()
    const { status, body } = await it.giveBack(id)
    expect([status, body]).toMatchObject([
      201,
      { type: 'WITHDRAWAL', status: 'PENDING', amount: '25', accountId: account.id, returns: id },
    ])
    expect(body).toMatchObject({ destinationAddress: 'source-1', sourceAddress: null, network: 'testnet' })
    expect(await it.entries(body.id)).toEqual(['return-hold suspense returning'])
    expect(running.wallet.started.filter((one) => one.id === body.id)).toEqual([])
    await running.screen(body.id, true)
    await running.reached(body.id, 'COMPLETED')
    expect(running.wallet.started.filter((one) => one.id === body.id)).toEqual([
      {
        id: body.id,
        accountId: account.id,
        network: 'testnet',
        assetCode: running.asset.code,
        contractAddress: null,
        amount: '25',
        decimals: 2,
        destinationAddress: 'source-1',
      },
    ])
    expect(await it.entries(body.id)).toEqual(['return-hold suspense returning', 'return returning world'])
    expect(await running.balance(account)).toBeNull()
    // It was never the account's: its statement does not have it.
    const day = 24 * 60 * 60 * 1000
    const [from, to] = [Date.now() - day, Date.now() + day].map((ms) => new Date(ms).toISOString())
    const statement = await running.ledger.ask('GET', `/balances/account/${account.id}/statement?from=${from}&to=${to}`)
    expect(statement.body).toMatchObject({ balances: [], lines: [] })
    expect(await it.read(id)).toMatchObject({ status: 'REJECTED', returnedBy: body.id })
    expect((await decisionsOf(running.ledger, id)).at(-1)).toEqual(['RETURNED', 'ann', reason])
    expect(await decisionsOf(running.ledger, body.id)).toEqual([['ENTERED', 'ann', null]])
  })

  test('so does one that an operator has failed', async () => {
    const account = await running.ledger.account({ status: 'suspended' })
    const id = await running.deposit(account, '25')
    await running.screen(id, true)
    expect((await it.giveBack(id)).body.message).toBe(
      `Transaction ${id} is APPROVED; only a REJECTED or FAILED one can be returned`,
    )
    await running.ledger.ask('POST', `/transactions/${id}/fail`, { reason })
    await running.reached(await it.ordered(id, 'confirmed'), 'COMPLETED')
  })

  test('its events are the depositor’s participant’s, and name the deposit', async () => {
    const participantId = Bun.randomUUIDv7()
    const { id } = await it.rejected('25', { participantId })
    const back = await it.ordered(id, 'confirmed')
    await running.reached(back, 'COMPLETED')
    const told = (await running.ledger.events())
      .map(({ data }) => data as TransactionState)
      .filter((data) => data.id === back)
    expect(told.map(({ status }) => status)).toEqual(['PENDING', 'APPROVED', 'COMPLETED'])
    for (const data of told) expect(data).toMatchObject({ type: 'WITHDRAWAL', participantId, returns: id })
    const shown = await running.transaction(back)
    expect(shown).toMatchObject({ participantId, transactionData: { returns: id } })
  })

  test('many at once, with releases among them: one is taken, and the money moves once', async () => {
    const { id, account } = await it.rejected()
    const acts = [it.giveBack, it.release, it.giveBack, it.release, it.giveBack]
    const answers = await Promise.all(acts.map((act) => act(id)))
    const taken = answers.filter(({ status }) => status < 300)
    expect([taken.length, answers.filter(({ status }) => status === 400).length]).toEqual([1, 4])
    if (taken[0]?.status === 201) {
      await running.screen(taken[0].body.id, true)
      await running.reached(taken[0].body.id, 'COMPLETED')
      expect(await running.balance(account)).toBeNull()
    } else expect(await running.balance(account)).toEqual({ available: '25', frozen: '0' })
  })

  test('what is returned cannot be released or returned, neither under way nor later; what is released not returned', async () => {
    const { id, account } = await it.rejected()
    const back = (await it.giveBack(id)).body.id
    const why = (status: string) =>
      `Transaction ${id} is returned to its source by transaction ${back}, which is ${status}`
    expect((await it.release(id)).body.message).toBe(why('PENDING'))
    expect((await it.giveBack(id)).body.message).toBe(why('PENDING'))
    await running.screen(back, true)
    await running.reached(back, 'COMPLETED')
    expect([await it.release(id), await it.giveBack(id)]).toMatchObject([
      { status: 400, body: { message: why('COMPLETED') } },
      { status: 400, body: { message: why('COMPLETED') } },
    ])
    expect(await running.balance(account)).toBeNull()
    const other = await it.rejected()
    expect((await it.release(other.id)).status).toBe(200)
    expect((await it.giveBack(other.id)).body.message).toBe(
      `Transaction ${other.id} is COMPLETED; only a REJECTED or FAILED one can be returned`,
    )
  })

  test('under one key it is done once and answered twice; under another one refused', async () => {
    const { id } = await it.rejected()
    const key = { 'idempotency-key': `return-${id}` }
    const first = await it.giveBack(id, 'ann', { reason }, key)
    const again = await it.giveBack(id, 'ann', { reason }, key)
    expect([again.status, again.body]).toEqual([201, first.body])
    expect((await it.giveBack(id, 'ann', { reason }, { 'idempotency-key': `other-${id}` })).status).toBe(400)
  })

  test('failed at the wallet service it is in suspense again, and can be returned again, or released', async () => {
    const { id, account } = await it.rejected()
    const failed = await it.ordered(id, 'failed')
    await running.reached(failed, 'FAILED')
    expect((await it.entries(failed)).at(-1)).toBe('return-release returning suspense')
    expect(await it.read(id)).not.toHaveProperty('returnedBy')
    const second = await it.ordered(id, 'failed')
    await running.reached(second, 'FAILED')
    expect((await it.release(id)).status).toBe(200)
    expect(await running.balance(account)).toEqual({ available: '25', frozen: '0' })
    expect((await it.giveBack(id)).status).toBe(400)
  })

  test('neither is possible while a return that failed here is known to be paid', async () => {
    const { id } = await it.rejected()
    const failed = await it.ordered(id, 'failed')
    await running.reached(failed, 'FAILED')
    running.wallet.records.set(failed, { id: failed, status: 'confirmed', txHash: '0xabc', reason: null })
    const now = () => new Date(Date.now() + 2 * retryTuning.longestMs)
    await createRecheck().run({ ...running.ledger.deps, now })
    const message = `Transaction ${failed}, which returned the deposit, has FAILED here, and the wallet service has it as confirmed 0xabc`
    expect(await it.giveBack(id)).toMatchObject({ status: 409, body: { message } })
    expect(await it.release(id)).toMatchObject({ status: 409, body: { message } })
  })

  test('a listed source is not paid: the return waits FROZEN with the reason, nobody approves it, and rejected it is in suspense again', async () => {
    const { id } = await it.rejected()
    const { body } = await it.giveBack(id)
    const verdict = { id: body.id, isApproved: false, screeningData: { reason: 'source-1 is on the list' } }
    await running.ledger.ask('POST', '/transactions/complete-screening', verdict)
    expect(await it.read(body.id)).toMatchObject({
      status: 'FROZEN',
      screeningData: { reason: 'source-1 is on the list' },
    })
    const approved = await running.ledger.ask('POST', `/transactions/${body.id}/approve-frozen-withdrawal`, {})
    expect([approved.status, approved.body.message]).toEqual([
      400,
      `Transaction ${body.id} returns a deposit to an address that has not passed its screening, and cannot be approved: reject it, and return the deposit once the address passes`,
    ])
    await it.reject(body.id, 'withdrawal')
    expect(await it.entries(body.id)).toEqual(['return-hold suspense returning', 'return-release returning suspense'])
    expect(running.wallet.started.filter((one) => one.id === body.id)).toEqual([])
    await running.reached(await it.ordered(id, 'confirmed'), 'COMPLETED')
  })

  test('what is worth much takes two persons, each time anew, neither of whom has entered it', async () => {
    const account = await running.ledger.account()
    const deposit = { accountId: account.id, assetId: running.asset.id, network: 'testnet', amount: '1000' }
    const eve = await running.ledger.as({ kind: 'user', subject: 'eve' })
    const entered = { ...deposit, sourceAddress: 'source-1', txHash: Bun.randomUUIDv7() }
    const { id } = (await running.ledger.ask<{ id: string }>('POST', '/transactions/deposit', entered, eve)).body
    await running.screen(id, false)
    await it.reject(id, 'deposit')
    expect((await it.giveBack(id, null)).status).toBe(403)
    expect((await it.giveBack(id, 'eve')).status).toBe(409)
    // That it be credited is another proposal.
    expect((await it.release(id, 'ann')).status).toBe(202)
    const first = await it.giveBack(id, 'bob')
    expect([first.status, first.body]).toMatchObject([202, { proposed: true, approvals: 1, required: 2 }])
    expect((await it.giveBack(id, 'bob')).status).toBe(409)
    expect(await it.read(id)).not.toHaveProperty('returnedBy')
    const second = await it.giveBack(id, 'ann')
    expect(second).toMatchObject({ status: 201, body: { returns: id } })
    running.wallet.script(second.body.id, 'failed')
    await running.screen(second.body.id, true)
    await running.reached(second.body.id, 'FAILED')
    // Of what was decided before nothing counts.
    expect((await it.giveBack(id, 'carol')).status).toBe(202)
    expect((await it.release(id, 'dave')).status).toBe(202)
    expect((await decisionsOf(running.ledger, id)).map(([decision, who]) => [decision, who])).toEqual([
      ['ENTERED', 'eve'],
      ['REJECTED', null],
      ['RELEASE_PROPOSED', 'ann'],
      ['RETURN_PROPOSED', 'bob'],
      ['RETURNED', 'ann'],
      ['RETURN_PROPOSED', 'carol'],
      ['RELEASE_PROPOSED', 'dave'],
    ])
  })

  test('422 for a source that is an address of our own, several, or none; 503 while that cannot be asked', async () => {
    running.wallet.addresses.own.add('our-own')
    const from = async (sourceAddress: string, asset = running.asset) => {
      const account = await running.ledger.account()
      const body = { accountId: account.id, assetId: asset.id, network: asset.network, amount: '1', sourceAddress }
      const made = await running.ledger.ask<{ id: string }>('POST', '/transactions/deposit', {
        ...body,
        txHash: Bun.randomUUIDv7(),
      })
      expect(made.status).toBe(201)
      await running.screen(made.body.id, false)
      await it.reject(made.body.id, 'deposit')
      const { status, body: answer } = await it.giveBack(made.body.id)
      return [status, answer.message]
    }
    expect(await from('our-own')).toEqual([
      422,
      'The deposit came from our-own, which is an address of this deployment: nothing would leave',
    ])
    expect(await from('one,other')).toEqual([422, 'The deposit came from several addresses: one,other'])
    const evm = await running.newAsset({ network: 'ethereum', address: `0x${'1'.repeat(40)}` })
    expect(await from(`0x${'0'.repeat(40)}`, evm)).toEqual([422, 'Where the deposit came from is not known'])
    expect(await from(`0x${'1'.repeat(40)}`, evm)).toEqual([422, 'Where the deposit came from is not known'])
    expect(await from('nowhere', evm)).toEqual([
      422,
      'The deposit’s source cannot be paid: sourceAddress must be an address of 0x and 40 hexadecimal digits',
    ])
    running.wallet.addresses.own.add('unclear')
    running.wallet.addresses.isLost = true
    expect((await from('unclear'))[0]).toBe(503)
    running.wallet.addresses.isLost = false
  })

  test('400 for another status or type, and without a reason; 404 when there is none', async () => {
    const account = await running.funded('10')
    const id = await running.deposit(account, '5')
    expect((await it.giveBack(id)).body.message).toBe(
      `Transaction ${id} is PENDING; only a REJECTED or FAILED one can be returned`,
    )
    const withdrawal = await running.withdraw(account, '5')
    expect((await it.giveBack(withdrawal)).body.message).toBe(
      `Transaction ${withdrawal} is a withdrawal, not a deposit`,
    )
    for (const body of [{}, { reason: '' }, { reason: ' ' }])
      expect((await it.giveBack(id, 'ann', body)).status).toBe(400)
    expect((await it.giveBack(Bun.randomUUIDv7())).status).toBe(404)
  })
})
