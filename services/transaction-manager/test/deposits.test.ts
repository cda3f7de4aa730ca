import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { openService, refused, type TestTransactionManager } from './harness'
import { deposit, made, transfer } from './requests'

let manager: TestTransactionManager
let bank: { id: string; participantId: string; custodianBankId: string }
beforeAll(async () => {
  manager = await openService()
  bank = (await manager.party()).bank
})
afterAll(() => manager.close())

const body = (more: object = {}) => ({ amount: '1000.50', currency: 'USD', participantBankId: bank.id, ...more })

describe('POST /deposit', () => {
  test('answers with the record and the wire instructions', async () => {
    const answer = await manager.post('/deposit', body({ reference: 'INV-1', description: 'Funding' }))
    expect(answer.status).toBe(201)
    const { id, createdAt, updatedAt } = answer.body.data
    expect(answer.body).toEqual({
      data: {
        id,
        type: 'DEPOSIT',
        status: 'PENDING',
        amount: '1000.5',
        currency: 'USD',
        fromParticipant: null,
        toParticipant: bank.participantId,
        from: null,
        to: {
          participantId: bank.participantId,
          participantName: 'Lakeside Payments',
          participantBankId: bank.id,
          custodianBankId: bank.custodianBankId,
        },
        reference: 'INV-1',
        description: 'Funding',
        transactionHash: null,
        wireInstructions: {
          accountNumber: '000123456789',
          routingNumber: '021000021',
          bankName: 'Custody Bank',
          reference: 'INV-1',
        },
        createdAt,
        updatedAt: createdAt,
      },
    })
    expect(Date.parse(updatedAt)).toBeWithin(Date.now() - 60_000, Date.now() + 1)
  })

  test('generates a missing reference', async () => {
    const [one, other] = [await deposit(manager, bank.id), await deposit(manager, bank.id, { reference: null })]
    expect(one.reference).toMatch(/^[0-9A-HJKMNP-TV-Z]{12}$/)
    expect(other.reference).not.toBe(one.reference)
    expect(one.wireInstructions?.reference).toBe(one.reference)
  })

  test('takes a participant’s id to mean its oldest account in the currency', async () => {
    const pfi = await manager.pfi()
    await manager.bank(pfi.id, { currency: 'EUR' })
    const [oldest] = [
      await manager.bank(pfi.id, { currency: 'CHF', accountNumber: 'CH1' }),
      await manager.bank(pfi.id, { currency: 'CHF' }),
    ]
    const made = await deposit(manager, pfi.id.toUpperCase(), { currency: 'chf' })
    expect([made.to?.participantBankId, made.wireInstructions?.accountNumber]).toEqual([oldest.id, 'CH1'])
  })

  test.each([
    ['JPY', '1000', '1000'],
    ['KWD', '0.001', '0.001'],
    ['CLF', '0.0001', '0.0001'],
    ['usd', '0.01', '0.01'],
    ['USD', '99999999999999999999999999999999999.99', '99999999999999999999999999999999999.99'],
  ])('takes %s %s', async (currency, amount, shown) => {
    const { participantId } = bank
    await manager.bank(participantId, { currency: currency.toUpperCase() })
    const made = await deposit(manager, participantId, { currency, amount })
    expect([made.amount, made.currency]).toEqual([shown, currency.toUpperCase()])
  })

  test.each([
    [{ amount: '0' }, 'amount must be greater than 0'],
    [{ amount: '0.00' }, 'amount must be greater than 0'],
    [{ amount: '-5' }, 'amount must be a decimal number such as "12.50", without sign, exponent or spaces'],
    [{ amount: '1e3' }, 'amount must be a decimal number such as "12.50", without sign, exponent or spaces'],
    [{ amount: '١' }, 'amount must be a decimal number such as "12.50", without sign, exponent or spaces'],
    [{ amount: '1.001' }, 'amount must have at most 2 decimals'],
    [{ amount: '1.0', currency: 'JPY' }, 'amount must have at most 0 decimals'],
    [{ amount: '9'.repeat(39) }, 'amount must have at most 38 digits'],
    [{ amount: 5 }, 'amount must be a string'],
    [{ amount: '' }, 'amount should not be empty'],
    [{ currency: 'USX' }, 'currency must be a currency code of ISO 4217, such as USD'],
    [{ currency: 'XAU' }, 'currency must be a currency code of ISO 4217, such as USD'],
    [{ currency: 'US' }, 'currency must be a currency code of ISO 4217, such as USD'],
    [{ currency: 'DOLLAR' }, 'currency must be at most 3 characters long'],
    [{ currency: null }, 'currency must be a string'],
    [{ participantBankId: '' }, 'participantBankId should not be empty'],
    [{ participantBankId: ['x'] }, 'participantBankId must be a string'],
    [{ reference: '' }, 'reference should not be empty'],
    ...['..', 'ä1', '7/', '/7', 'a//7', 'a/../7', 'a\\.\\7'].map((reference): [object, string] => [
      { reference },
      'reference must have ASCII characters only, including a letter or digit, and between slashes more than dots or null',
    ]),
    [{ description: 'x'.repeat(1001) }, 'description must be at most 1000 characters long or null'],
  ])('refuses %j', async (change, message) => {
    const refusal = refused(await manager.post('/deposit', body(change)), 400)
    expect([refusal.code, refusal.message]).toEqual(['INVALID_REQUEST', message])
  })

  test('names the problems of all fields at once', async () => {
    const { details } = refused(await manager.post('/deposit', {}), 400)
    expect(details).toEqual([
      { field: 'amount', message: 'amount should not be empty' },
      { field: 'currency', message: 'currency should not be empty' },
      { field: 'participantBankId', message: 'participantBankId should not be empty' },
    ])
  })

  test.each(['[]', 'null', '"x"', '{', '{"__proto__":{"amount":"1"}}'])('refuses the body %s', async (text) => {
    refused(await manager.post('/deposit', text), 400)
  })

  test('refuses an unknown bank account', async () => {
    for (const participantBankId of ['nowhere', '../../deposit', "' or 1=1"]) {
      const refusal = refused(await manager.post('/deposit', body({ participantBankId })), 404)
      expect(refusal).toEqual({
        code: 'NOT_FOUND',
        message: `participantBankId ${participantBankId} is neither a known bank account nor a participant with an account in USD`,
      })
    }
  })

  test('refuses a participant that is not approved', async () => {
    for (const status of ['NOT_STARTED', 'UNDER_REVIEW', 'REJECTED', 'PAUSED', 'OFFBOARDED'] as const) {
      const party = await manager.party({ name: 'Slow', status })
      const refusal = refused(await manager.post('/deposit', body({ participantBankId: party.bank.id })), 409)
      expect(refusal.message).toBe(
        `The participant Slow of participantBankId is ${status}: only an APPROVED one takes part in payments`,
      )
    }
  })

  test('refuses an account that is kept in another currency', async () => {
    const refusal = refused(await manager.post('/deposit', body({ currency: 'EUR' })), 422)
    expect(refusal).toEqual({
      code: 'UNPROCESSABLE',
      message: 'The account of participantBankId is kept in USD, not in EUR',
    })
  })

  test('refuses another deposit’s reference, case-insensitively', async () => {
    await deposit(manager, bank.id, { reference: 'Taken-1' })
    for (const path of ['/deposit', '/management/deposit']) {
      const refusal = refused(await manager.post(path, body({ reference: 'TAKEN-1' })), 409)
      expect(refusal.message).toBe('A deposit with the reference TAKEN-1 already exists')
    }
    // References are unique per kind.
    await made(manager, '/do-deposit', body({ reference: 'Taken-1' }))
  })

  test('answers a repeat with the same key as before, at any later time', async () => {
    const headers = { 'idempotency-key': 'deposit-1' }
    const first = await manager.post('/deposit', body(), headers)
    const again = await manager.post('/deposit', body(), headers)
    expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([201, first.body, 'true'])
    refused(await manager.post('/deposit', body({ amount: '7' }), headers), 422)
  })

  test('creates one of many concurrent ones with one reference', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => manager.post('/deposit', body({ reference: 'RACE-1' }))),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409])
  })
})

describe('GET /deposit/{reference}', () => {
  test('answers with a pending deposit, by its case-insensitive reference', async () => {
    const made = await deposit(manager, bank.id, { reference: 'A ref/1' })
    const answer = await manager.get(`/deposit/${encodeURIComponent('a REF/1')}`)
    expect([answer.status, answer.body]).toEqual([200, { data: made }])
  })

  test('404 for a deposit that is no longer pending', async () => {
    const { reference } = await deposit(manager, bank.id)
    await manager.put(`/deposit/${reference}`, { status: 'IN_REVIEW' })
    expect(refused(await manager.get(`/deposit/${reference}`), 404)).toEqual({
      code: 'NOT_FOUND',
      message: `There is no pending deposit with the reference ${reference}: it is IN_REVIEW`,
    })
  })

  test('404 for a payment that is not a deposit', async () => {
    await made(manager, '/do-deposit', body({ reference: 'DIGITAL-1' }))
    for (const reference of ['DIGITAL-1', 'nothing', '%00', '%F0%9F%92%A5']) {
      refused(await manager.get(`/deposit/${reference}`), reference === '%00' ? 400 : 404)
    }
  })
})

describe('PUT /deposit/{reference}', () => {
  test('completes a deposit when the wire has arrived', async () => {
    const made = await deposit(manager, bank.id)
    const answer = await manager.put(`/deposit/${made.reference}`, {
      status: 'COMPLETED',
      comment: 'Wire seen',
      transactionHash: 'FED20261122',
    })
    expect(answer.status).toBe(200)
    const { updatedAt } = answer.body.data
    expect(answer.body.data).toEqual({ ...made, status: 'COMPLETED', transactionHash: 'FED20261122', updatedAt })
  })

  test('takes a deposit through a review', async () => {
    const { reference } = await deposit(manager, bank.id)
    for (const status of ['IN_REVIEW', 'APPROVED', 'PROCESSING', 'COMPLETED']) {
      const answer = await manager.put(`/deposit/${reference}`, { status })
      expect([answer.status, answer.body.data.status]).toEqual([200, status])
    }
  })

  test('refuses a transition that is not in the state table', async () => {
    const { id, reference } = await deposit(manager, bank.id)
    await manager.put(`/deposit/${reference}`, { status: 'REJECTED' })
    expect(refused(await manager.put(`/deposit/${reference}`, { status: 'COMPLETED' }), 409)).toEqual({
      code: 'CONFLICT',
      message: `Transaction ${id} is a DEPOSIT that is REJECTED and cannot become COMPLETED`,
    })
  })

  test.each([
    [{}, 'status must be one of the following values: '],
    [{ status: 'DONE' }, 'status must be one of the following values: '],
    [{ status: 'completed' }, 'status must be one of the following values: '],
    [{ status: 'COMPLETED', comment: 'x'.repeat(2001) }, 'comment must be at most 2000 characters long'],
    [{ status: 'COMPLETED', transactionHash: 'a b' }, 'transactionHash must have visible characters only'],
    [{ status: 'COMPLETED', transactionHash: '' }, 'transactionHash should not be empty'],
  ])('refuses %j', async (change, message) => {
    const { reference } = await deposit(manager, bank.id)
    expect(refused(await manager.put(`/deposit/${reference}`, change), 400).message).toStartWith(message)
  })

  test('404 for a payment that is not a deposit', async () => {
    refused(await manager.put('/deposit/nothing', { status: 'COMPLETED' }), 404)
    const other = await manager.party()
    const { reference } = await transfer(manager, bank.id, other.bank.id)
    refused(await manager.put(`/deposit/${reference}`, { status: 'COMPLETED' }), 404)
  })
})
