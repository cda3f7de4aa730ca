import type { RoleName } from '@bursar/contracts/identity-manager'
import { localServer } from '@bursar/testing'
import { openGateway } from './harness'
import { echo, isLookUp } from './peers'

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
export const freshCustomer = '01a1fe8f-0000-7000-8000-0000000000c3'
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

/** Payments that the participant pays and receives; one that it has no part in. */
export const [paid, received, foreignPayment] = [
  '01a1fe8f-0000-7000-8000-000000000081',
  '01a1fe8f-0000-7000-8000-000000000082',
  '01a1fe8f-0000-7000-8000-000000000083',
]
/** The custodian bank of custodian users, at which the participant has an account. */
export const custodianBank = '01a1fe8f-0000-7000-8000-000000000091'
const otherCustodianBank = '01a1fe8f-0000-7000-8000-000000000092'

const notFound = () => Response.json({ error: { code: 'NOT_FOUND', message: 'Not found' } }, { status: 404 })

const at = '2026-11-22T10:00:00.000Z'
const asset = '01a1fe8f-0000-7000-8000-0000000000aa'

const ledgerTransaction = (id: string, accountId: string) => ({
  id,
  customerId: accountId === ownAccount ? ownCustomer : otherCustomer,
  accountId,
  assetId: asset,
  asset: { id: asset, name: 'USD Coin', code: 'USDC' },
  type: 'DEPOSIT',
  status: 'COMPLETED',
  amount: '1',
  network: 'ethereum',
  sourceAddress: null,
  destinationAddress: null,
  reference: null,
  txHash: null,
  screeningData: null,
  createdAt: at,
  updatedAt: at,
})
const payment = (id: string, fromParticipant: string, toParticipant: string | null) => ({
  data: {
    id,
    type: toParticipant === null ? 'WITHDRAWAL' : 'TRANSFER',
    status: 'PENDING',
    amount: '1.00',
    currency: 'USD',
    fromParticipant,
    toParticipant,
    from: null,
    to: null,
    reference: id,
    description: null,
    transactionHash: null,
    createdAt: at,
    updatedAt: at,
    history: [],
    additionalRequests: [],
  },
})
const message = (id: string, participantId: string) => ({
  id,
  type: 'TEXT',
  data: { text: 'Good day' },
  participantId,
  sender: null,
  createdAt: at,
})
const accountAt = (custodianBankId: string, participantId: string) => ({
  id: participantId === bank ? ownBankAccount : otherBankAccount,
  participantId,
  accountNumber: '1',
  routingNumber: '2',
  accountType: 'CHECKING',
  currency: 'USD',
  custodianBankId,
  custodianBankName: 'Bank',
  createdAt: at,
})
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

const customerState = (id: string, externalId: string, participantId: string) => ({
  customer: { id, externalId, status: 'active', createdAt: at },
  participantId,
  epoch: 1,
  version: 1,
})

/**
 * What the services answer about whose an object is, by the model that it is an answer of: test/e2e/gateway-roles.test.ts
 * holds each to the model of its service. Everything else is echoed.
 */
export const ownerAnswers = {
  AccountOwner: {
    [`/internal/account-owners/${ownAccount}`]: { accountId: ownAccount, participantId: bank },
    [`/internal/account-owners/${omnibus}`]: { accountId: omnibus, participantId: bank },
    [`/internal/account-owners/${otherAccount}`]: { accountId: otherAccount, participantId: otherBank },
  },
  TransactionWithAsset: {
    [`/v1/transactions/${ownTransaction}`]: ledgerTransaction(ownTransaction, ownAccount),
    [`/v1/transactions/${otherTransaction}`]: ledgerTransaction(otherTransaction, otherAccount),
  },
  OnePaymentDetail: {
    [`/v1/transactions/${paid}`]: payment(paid, bank, otherBank),
    [`/v1/transactions/${received}`]: payment(received, otherBank, bank),
    [`/v1/transactions/${foreignPayment}`]: payment(foreignPayment, otherBank, null),
  },
  Message: {
    [`/v1/messages/${ownMessage}`]: message(ownMessage, bank),
    [`/v1/messages/${otherMessage}`]: message(otherMessage, otherBank),
  },
  BankAccounts: {
    [`/v1/participants/${bank}/accounts`]: { data: [accountAt(custodianBank, bank)] },
    [`/v1/participants/${otherBank}/accounts`]: { data: [accountAt(otherCustodianBank, otherBank)] },
  },
  CustomerOwner: {
    [`/internal/customer-owners/${ownCustomer}`]: { customerId: ownCustomer, participantId: bank },
    [`/internal/customer-owners/${freshCustomer}`]: { customerId: freshCustomer, participantId: bank },
    [`/internal/customer-owners/${otherCustomer}`]: { customerId: otherCustomer, participantId: otherBank },
  },
  CustomerState: {
    '/internal/customers/by-external-id?externalId=own-customer': customerState(ownCustomer, 'own-customer', bank),
    '/internal/customers/by-external-id?externalId=fresh': customerState(freshCustomer, 'fresh', bank),
    '/internal/customers/by-external-id?externalId=other': customerState(otherCustomer, 'other', otherBank),
  },
  BankAccountState: {
    [`/internal/bank-accounts/${ownBankAccount}`]: bankAccountOf(ownBankAccount, bank),
    [`/internal/bank-accounts/${otherBankAccount}`]: bankAccountOf(otherBankAccount, otherBank),
  },
}
const answers: Record<string, object> = Object.assign({}, ...Object.values(ownerAnswers))

/** A look-up of the gateway itself comes as a service: the caller's own request is echoed. */
export async function answerAsOwner(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  if (!isLookUp(request)) return await echo(request)
  if (pathname.endsWith('/changes')) return Response.json({ epoch: 1, items: [], more: false })
  const answer = answers[pathname + search]
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
  gateway.main.answerOther((path, isLookUp) => (isLookUp ? answers[path] : undefined))

  const as = (role: RoleName) => {
    const isParticipant = role.startsWith('participant')
    return gateway.user({
      roles: [role],
      participantId: isParticipant ? bank : null,
      custodianId: role.startsWith('custodian') ? custodianBank : null,
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
