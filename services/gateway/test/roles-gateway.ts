import type { RoleName } from '@bursar/contracts/identity-manager'
import { localServer } from '@bursar/testing'
import { openGateway } from './harness'
import { echo } from './peers'

export const bank = '01a1fe8f-0000-7000-8000-0000000000b1'
export const otherBank = '01a1fe8f-0000-7000-8000-0000000000b2'
export const [ownCustomer, otherCustomer] = [
  '01a1fe8f-0000-7000-8000-0000000000c1',
  '01a1fe8f-0000-7000-8000-0000000000c2',
]
export const [ownAccount, otherAccount] = [
  '01a1fe8f-0000-7000-8000-0000000000d1',
  '01a1fe8f-0000-7000-8000-0000000000d2',
]
export const omnibus = '01a1fe8f-0000-7000-8000-0000000000d3'
export const [ownTransaction, otherTransaction] = [
  '01a1fe8f-0000-7000-8000-0000000000e1',
  '01a1fe8f-0000-7000-8000-0000000000e2',
]
export const [ownMessage, otherMessage] = [
  '01a1fe8f-0000-7000-8000-0000000000f1',
  '01a1fe8f-0000-7000-8000-0000000000f2',
]
export const [ownBankAccount, otherBankAccount] = [
  '01a1fe8f-0000-7000-8000-0000000000a1',
  '01a1fe8f-0000-7000-8000-0000000000a2',
]
export const key = { 'x-api-key': 'sk_test_roles' }

const notFound = () => Response.json({ error: { code: 'NOT_FOUND', message: 'Not found' } }, { status: 404 })

/** The services' own answers about whose an object is; everything else is echoed. */
const answers: Record<string, object> = {
  [`/v1/participants/${bank}`]: {
    omnibusAccountId: omnibus,
    feePayerAccountId: null,
    customers: [{ id: ownCustomer, externalId: 'own-customer', accounts: [{ id: ownAccount }] }],
  },
  [`/v1/transactions/${ownTransaction}`]: { accountId: ownAccount, fromParticipant: bank, toParticipant: null },
  [`/v1/transactions/${otherTransaction}`]: {
    accountId: otherAccount,
    fromParticipant: otherBank,
    toParticipant: null,
  },
  [`/v1/messages/${ownMessage}`]: { participantId: bank },
  [`/v1/messages/${otherMessage}`]: { participantId: otherBank },
}
export const bankAccountOf = (id: string, participantId: string) => ({
  id,
  participantId,
  accountNumber: '1',
  routingNumber: '2',
  currency: 'USD',
  custodianBankId: otherBank,
  custodianBankName: 'Bank',
  epoch: 1,
  version: 1,
})
answers[`/internal/bank-accounts/${ownBankAccount}`] = bankAccountOf(ownBankAccount, bank)
answers[`/internal/bank-accounts/${otherBankAccount}`] = bankAccountOf(otherBankAccount, otherBank)

/** A look-up of the gateway itself comes as a service: the caller's own request is echoed. */
export async function answerAsOwner(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  const isLookUp = JSON.parse(atob((request.headers.get('x-identity') ?? '').split('.')[1] ?? '')).kind === 'service'
  if (!isLookUp) return await echo(request)
  const answer = answers[pathname]
  return answer ? Response.json(answer) : notFound()
}

/** A gateway that holds to the table, between services that say whose each object is. */
export async function openRolesGateway() {
  const owner = localServer(answerAsOwner)
  const names = [
    'PARTICIPANT',
    'CORE',
    'MESSAGE',
    'TRANSACTIONS',
    'ACCOUNT',
    'CUSTOMER',
    'WALLET',
    'WEBHOOK',
    'NOTIFICATION',
    'SANCTIONS',
    'BLOCKCHAIN',
  ]
  const urls = Object.fromEntries(names.map((name) => [`${name}_URL`, owner.url]))
  const gateway = await openGateway({ AUTHORIZATION: 'roles', ...urls })
  gateway.main.issue(key['x-api-key'], { participantId: bank })
  gateway.main.answerOther((path) => answers[path])

  const as = (role: RoleName) => {
    const isParticipant = role.startsWith('participant')
    return gateway.user({
      roles: [role],
      participantId: isParticipant ? bank : null,
      custodianId: role.startsWith('custodian') ? otherBank : null,
    })
  }
  /** Both credentials, so that every service takes them. */
  const asParticipant = async (role: 'participant-admin' | 'participant-user' = 'participant-user') => ({
    ...(await as(role)),
    ...key,
  })
  return {
    gateway,
    owner,
    as,
    asParticipant,
    async close() {
      await gateway.close()
      await owner.stop()
    },
  }
}
