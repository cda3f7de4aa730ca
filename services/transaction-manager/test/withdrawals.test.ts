import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { nobody, openService, refused, type TestTransactionManager, uuidExpected } from './harness'
import { deposit, destinationAccount, through, withdrawal } from './requests'

let manager: TestTransactionManager
let bank: { id: string; participantId: string }
beforeAll(async () => {
  manager = await openService()
  const party = await manager.party()
  bank = party.bank
  await manager.bank(party.pfi.id, { currency: 'EUR' })
})
afterAll(() => manager.close())

const body = (more: object = {}) => ({
  amount: '250.00',
  currency: 'USD',
  participantBankId: bank.id,
  destinationAccount,
  description: 'Payroll',
  ...more,
})
const to = (change: object) => body({ destinationAccount: { ...destinationAccount, ...change } })

describe('POST /withdrawal', () => {
  test('answers with the record', async () => {
    const answer = await manager.post('/withdrawal', body())
    expect(answer.status).toBe(201)
    expect(answer.body.data).toMatchObject({
      type: 'WITHDRAWAL',
      status: 'PENDING',
      amount: '250',
      currency: 'USD',
      fromParticipant: bank.participantId,
      toParticipant: null,
      to: null,
      destinationAccount,
      description: 'Payroll',
    })
    expect(answer.body.data.wireInstructions).toBeUndefined()
  })

  test.each([
    [{ accountNumber: 'DE89 3704 0044 0532 0130 00' }, { accountNumber: 'DE89370400440532013000' }],
    [{ accountNumber: 'gb33bukb20201555555555' }, { accountNumber: 'GB33BUKB20201555555555' }],
    [{ routingNumber: 'deutdeff' }, { routingNumber: 'DEUTDEFF' }],
    [{ routingNumber: 'DEUTDEFF500' }, { routingNumber: 'DEUTDEFF500' }],
    [{ routingNumber: '20-20-15' }, { routingNumber: '20-20-15' }],
    [{ routingNumber: 'HDFC0000001' }, { routingNumber: 'HDFC0000001' }],
    [{ accountNumber: '12 34-AB' }, { accountNumber: '12 34-AB' }],
  ])('takes %j', async (given, shown) => {
    const answer = await manager.post('/withdrawal', to(given))
    expect(answer.body.data.destinationAccount).toEqual({ ...destinationAccount, ...shown })
  })

  test.each(['Payroll\n=1+1', 'a\rb', 'a\u2028b', 'a\u0000'])(
    'refuses a description of two lines: %j',
    async (description) => {
      const { message } = refused(await manager.post('/withdrawal', body({ description })), 400)
      expect(message).toContain('description must not hold control characters')
    },
  )

  const iban = 'destinationAccount.accountNumber is not a valid IBAN: its country, length or check digits are wrong'
  const routing = 'destinationAccount.routingNumber is not a valid US routing number: its check digit is wrong'
  test.each([
    [{ accountNumber: 'DE88370400440532013000' }, iban],
    [{ accountNumber: 'DE893704004405320130' }, iban],
    [{ accountNumber: 'XX89370400440532013000' }, iban],
    [{ routingNumber: '021000022' }, routing],
    [{ routingNumber: '987654321' }, routing],
    [{ routingNumber: 'DEUTZZFF' }, 'destinationAccount.routingNumber is not a valid SWIFT code (BIC)'],
    [{ routingNumber: '' }, 'destinationAccount.routingNumber should not be empty'],
    [{ accountNumber: 'a\nb' }, 'destinationAccount.accountNumber must not hold control characters'],
    [{ bankName: undefined }, 'destinationAccount.bankName should not be empty'],
    [{ bankName: 'x'.repeat(256) }, 'destinationAccount.bankName must be at most 255 characters long'],
  ])('refuses %j', async (given, message) => {
    expect(refused(await manager.post('/withdrawal', to(given)), 400).message).toBe(message)
  })

  test('takes nine digits for a US routing number only for US dollars', async () => {
    const answer = await manager.post('/withdrawal', {
      ...to({ routingNumber: '987654321' }),
      currency: 'EUR',
      participantBankId: bank.participantId,
    })
    expect(answer.status).toBe(201)
  })

  test('is refused without a destination account', async () => {
    expect(refused(await manager.post('/withdrawal', body({ destinationAccount: undefined })), 400).message).toBe(
      'destinationAccount must be an object',
    )
  })

  test('is refused for a bad amount, an unknown bank, a participant that is not approved, another currency, a taken reference', async () => {
    refused(await manager.post('/withdrawal', body({ amount: '0' })), 400)
    refused(await manager.post('/withdrawal', body({ participantBankId: 'nowhere' })), 404)
    const paused = await manager.party({ status: 'PAUSED' })
    refused(await manager.post('/withdrawal', body({ participantBankId: paused.bank.id })), 409)
    refused(await manager.post('/withdrawal', body({ currency: 'EUR' })), 422)
    await withdrawal(manager, bank.id, { reference: 'W-1' })
    refused(await manager.post('/withdrawal', body({ reference: 'w-1' })), 409)
  })

  test('answers a repeat with the same key as before', async () => {
    const headers = { 'x-idempotency-key': 'withdrawal-1' }
    const first = await manager.post('/withdrawal', body(), headers)
    const again = await manager.post('/withdrawal', body(), headers)
    expect([again.status, again.body]).toEqual([201, first.body])
    refused(await manager.post('/withdrawal', body({ amount: '1' }), headers), 422)
  })
})

describe('PUT /withdrawal/{transactionId}', () => {
  test('takes a withdrawal to its end', async () => {
    const { id } = await withdrawal(manager, bank.id)
    for (const status of ['IN_REVIEW', 'APPROVED', 'PROCESSING', 'COMPLETED']) {
      const answer = await manager.put(`/withdrawal/${id}`, { status, comment: `now ${status}` })
      expect([answer.status, answer.body.data.status]).toEqual([200, status])
    }
  })

  test('refuses to complete an unapproved withdrawal, and to cancel one that is being paid', async () => {
    const { id } = await withdrawal(manager, bank.id)
    refused(await manager.put(`/withdrawal/${id}`, { status: 'COMPLETED' }), 409)
    await through(manager, '/withdrawal', id, 'APPROVED', 'PROCESSING')
    expect(refused(await manager.put(`/withdrawal/${id}`, { status: 'CANCELLED' }), 409).message).toBe(
      `Transaction ${id} is a WITHDRAWAL that is PROCESSING and cannot become CANCELLED`,
    )
  })

  test('approves only the destination that the caller names', async () => {
    const { id } = await withdrawal(manager, bank.id)
    const changed = { ...destinationAccount, accountNumber: '55' }
    await manager.put(`/withdrawal/${id}/update`, { destinationAccount: changed })
    const approve = (seen: object) => manager.put(`/withdrawal/${id}`, { status: 'APPROVED', destinationAccount: seen })
    expect(refused(await approve(destinationAccount), 409).message).toBe(
      `Transaction ${id} has another destinationAccount: read it again`,
    )
    refused(await approve({ accountNumber: '55' }), 400)
    const answer = await approve(changed)
    expect([answer.status, answer.body.data.status]).toEqual([200, 'APPROVED'])
  })

  test('a repeat that names another destination is none', async () => {
    const { id } = await withdrawal(manager, bank.id)
    const changed = { ...destinationAccount, accountNumber: '55' }
    await manager.put(`/withdrawal/${id}/update`, { destinationAccount: changed })
    const headers = await manager.as({ subject: 'ann' })
    const approve = (seen?: object) =>
      manager.put(`/withdrawal/${id}`, { status: 'APPROVED', destinationAccount: seen }, headers)
    expect((await approve()).status).toBe(200)
    refused(await approve(destinationAccount), 409)
    expect((await approve(changed)).status).toBe(200)
  })

  test('404 for a payment that is not a withdrawal', async () => {
    const { id } = await deposit(manager, bank.id)
    refused(await manager.put(`/withdrawal/${id}`, { status: 'APPROVED' }), 404)
    refused(await manager.put(`/withdrawal/${nobody}`, { status: 'APPROVED' }), 404)
    expect(refused(await manager.put('/withdrawal/1', { status: 'APPROVED' }), 400).message).toBe(uuidExpected)
    refused(await manager.put(`/withdrawal/${id}`, { status: 'NO' }), 400)
  })
})

describe('PUT /withdrawal/{transactionId}/update', () => {
  const elsewhere = { accountNumber: '55', routingNumber: '021000021', bankName: 'Other Bank' }

  test('changes details, and the destination of a pending withdrawal', async () => {
    const { id } = await withdrawal(manager, bank.id)
    const answer = await manager.put(`/withdrawal/${id}/update`, { description: 'new', destinationAccount: elsewhere })
    expect([answer.status, answer.body.data.description, answer.body.data.destinationAccount]).toEqual([
      200,
      'new',
      elsewhere,
    ])
    const { history } = (await manager.get(`/transactions/${id}`)).body.data
    expect(history.at(-1).changes).toEqual([
      { field: 'description', before: null, after: 'new' },
      {
        field: 'destinationAccount',
        before: '9876543210, 021000021, Atlantic Trust',
        after: '55, 021000021, Other Bank',
      },
    ])
  })

  test('changes a destination whose fields were divided at another comma', async () => {
    const { id } = await withdrawal(manager, bank.id)
    const change = async (account: object) =>
      (await manager.put(`/withdrawal/${id}/update`, { destinationAccount: account })).body.data.destinationAccount
    const wrong = { accountNumber: '55', routingNumber: '021000021, Other', bankName: 'Bank' }
    const right = { accountNumber: '55', routingNumber: '021000021', bankName: 'Other, Bank' }
    expect([await change(wrong), await change(right)]).toEqual([wrong, right])
    const { history } = (await manager.get(`/transactions/${id}`)).body.data
    expect(history.at(-1).changes).toEqual([
      {
        field: 'destinationAccount',
        before: '55, "021000021, Other", Bank',
        after: '55, 021000021, "Other, Bank"',
      },
    ])
  })

  test('keeps the destination once somebody has reviewed it', async () => {
    const { id } = await withdrawal(manager, bank.id)
    for (const status of ['IN_REVIEW', 'APPROVED', 'PROCESSING', 'COMPLETED']) {
      await through(manager, '/withdrawal', id, status)
      expect(
        refused(await manager.put(`/withdrawal/${id}/update`, { destinationAccount: elsewhere }), 409).message,
      ).toBe(`Transaction ${id} is ${status}: its destinationAccount can no longer change`)
    }
    const { destinationAccount: kept } = (await manager.get(`/transactions/${id}`)).body.data
    expect(kept).toEqual(destinationAccount)
  })

  test('refuses an invalid account, and other payments', async () => {
    const { id } = await withdrawal(manager, bank.id)
    const wrong = { ...elsewhere, routingNumber: '123456789' }
    refused(await manager.put(`/withdrawal/${id}/update`, { destinationAccount: wrong }), 400)
    refused(await manager.put(`/withdrawal/${id}/update`, { destinationAccount: {} }), 400)
    refused(await manager.put(`/withdrawal/${id}/update`, { transactionHash: 'a b' }), 400)
    refused(await manager.put(`/withdrawal/${nobody}/update`, { description: 'x' }), 404)
    expect(refused(await manager.put('/withdrawal/x/update', {}), 400).message).toBe(uuidExpected)
  })
})
