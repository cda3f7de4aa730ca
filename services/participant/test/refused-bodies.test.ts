import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { account, customer, plain, refused, type TestParticipants, testParticipants } from './harness'

let service: TestParticipants
beforeAll(async () => {
  service = await testParticipants()
})
afterAll(() => service.close())

describe('POST /participants refuses with 400', () => {
  test('every field that is missing or wrong, by name', async () => {
    const missing = refused(await service.post('/participants', {}), 400)
    expect(missing).toEqual({
      code: 'INVALID_REQUEST',
      message: 'institutionName should not be empty; authConsumerId should not be empty; customers must be an array',
      details: [
        { field: 'institutionName', message: 'institutionName should not be empty' },
        { field: 'authConsumerId', message: 'authConsumerId should not be empty' },
        { field: 'customers', message: 'customers must be an array' },
      ],
    })
    const wrong = { institutionName: 1, routerData: 'x', authConsumerId: '', customers: null }
    expect(refused(await service.post('/participants', wrong), 400).message.split('; ')).toEqual([
      'institutionName must be a string',
      'routerData must be an object',
      'authConsumerId should not be empty',
      'customers must be an array',
    ])
  })

  test('errors inside customers and accounts', async () => {
    const status = 'must be one of the following values: active, inactive, deleted, suspended'
    const type = 'must be one of the following values: STABLECOINS, PORTFOLIO, OMNIBUS, FEE_PAYER'
    const customers = [
      { externalId: '', status: 'x' },
      customer({ accounts: [{ customerId: 'x', type: 'x', status: 'x', name: '' }] }),
      customer({ accounts: [account({ name: 'x'.repeat(101) })] }),
    ]
    expect(
      refused(await service.post('/participants', plain({ customers })), 400)
        .message.split('; ')
        .sort(),
    ).toEqual([
      'customers.0.externalId should not be empty',
      `customers.0.status ${status}`,
      'customers.1.accounts.0.customerId must be a UUID',
      'customers.1.accounts.0.name should not be empty',
      `customers.1.accounts.0.status ${status}`,
      `customers.1.accounts.0.type ${type}`,
      'customers.2.accounts.0.name must be at most 100 characters long',
    ])
  })

  test.each([
    ['a blank name', { institutionName: ' ' }, 'institutionName should not be blank'],
    ['a list as routerData', { routerData: [] }, 'routerData must be an object'],
    ['a number as routerData', { routerData: 5 }, 'routerData must be an object'],
    [
      'a key that is too long',
      { authConsumerId: 'x'.repeat(256) },
      'authConsumerId must be at most 255 characters long',
    ],
    ['the mask of a key', { authConsumerId: '********' }, 'authConsumerId must be the key itself, not its mask'],
    [
      'a control character in the name',
      { institutionName: 'First\nBank' },
      'institutionName must not hold control characters',
    ],
    [
      'a control character in the key',
      { authConsumerId: 'a\u0007' },
      'authConsumerId must not hold control characters',
    ],
    [
      'a control character in an externalId',
      { customers: [customer({ externalId: 'a\r\nb' })] },
      'customers.0.externalId must not hold control characters',
    ],
    [
      'a control character in the name of an account',
      { customers: [customer({ accounts: [account({ name: '\u0000' })] })] },
      'customers.0.accounts.0.name must not hold control characters',
    ],
    [
      'routerData over 32 KiB',
      { routerData: { a: 'x'.repeat(32 * 1024) } },
      'routerData must have at most 32 KiB as JSON',
    ],
    [
      'routerData of more than 1,000 words',
      { routerData: { a: Array.from({ length: 1000 }, (_, i) => i) } },
      'routerData must have at most 1000 different keys and values',
    ],
    [
      'more than 1,000 customers',
      { customers: Array.from({ length: 1001 }, () => customer()) },
      'customers must have at most 1000 items',
    ],
    [
      'more than 100 accounts of a customer',
      { customers: [customer({ accounts: Array.from({ length: 101 }, () => account()) })] },
      'customers.0.accounts must have at most 100 items',
    ],
    [
      'more than 1,000 accounts in all',
      {
        customers: Array.from({ length: 11 }, (_, i) =>
          customer({ accounts: Array.from({ length: i === 0 ? 1 : 100 }, () => account()) }),
        ),
      },
      'customers must have at most 1000 accounts in all',
    ],
    ['null as customers', { customers: null }, 'customers must be an array'],
    [
      'an externalId that is given twice',
      { customers: [customer({ externalId: 'same' }), customer({ externalId: 'same' })] },
      'customers.1.externalId is given twice',
    ],
    ...['.', '..'].map(
      (externalId) =>
        [
          `the externalId ${JSON.stringify(externalId)}, which no URL can hold`,
          { customers: [customer({ externalId })] },
          'customers.0.externalId must be neither . nor ..',
        ] as const,
    ),
  ])('%s', async (_what, fields, message) => {
    expect(refused(await service.post('/participants', plain(fields)), 400).message).toBe(message)
  })

  test('a body that is not JSON', async () => {
    expect(refused(await service.post('/participants', '{"institutionName":'), 400).message).toBe(
      'The body is not valid JSON',
    )
  })
})
