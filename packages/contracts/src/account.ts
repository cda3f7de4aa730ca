import { batchCall } from './batch'
import { readCall, writeCall } from './call'
import { RecordStatusEntry, recordStatus, StatusChange } from './customer'
import { event } from './event'
import { exampleNames } from './examples'
import { changeMark, changesCall } from './replica'
import { about, nullable, oneOf, optional, type Static, t, text, timestamp, uuid } from './schema'

/** Decisions, Platform services: AccountType. */
export const accountTypes = ['STABLECOINS', 'PORTFOLIO', 'OMNIBUS', 'FEE_PAYER'] as const
export type AccountType = (typeof accountTypes)[number]

const accountType = () =>
  about(
    'STABLECOINS: an account of a customer. PORTFOLIO: one whose key signs what its owner asks for. OMNIBUS and ' +
      'FEE_PAYER: those of a participant',
    oneOf(accountTypes),
  )

/** Body of POST /accounts (spec 3, Account). */
export const NewAccount = t.Object(
  {
    type: accountType(),
    status: recordStatus(),
    name: text(100),
    customerId: optional(uuid()),
    customerExternalId: optional(text(255)),
    walletAccountId: optional(uuid()),
    accountExternalId: optional(text(255)),
    customerName: optional(text(255)),
  },
  {
    title: 'NewAccount',
    examples: [
      {
        type: 'STABLECOINS',
        status: 'active',
        name: 'Payroll',
        customerExternalId: exampleNames.customer,
        accountExternalId: 'harbour-payroll',
      },
    ],
  },
)
export type NewAccount = Static<typeof NewAccount>

/** An account (spec 3, Account). */
export const Account = t.Object(
  {
    id: uuid(),
    customerId: nullable(uuid()),
    customerExternalId: nullable(t.String()),
    walletAccountId: nullable(uuid()),
    accountExternalId: nullable(t.String()),
    type: accountType(),
    status: recordStatus(),
    name: t.String(),
    customerName: nullable(t.String()),
    createdAt: timestamp(),
  },
  { title: 'Account' },
)
export type Account = Static<typeof Account>

/** An account as its owner stores it; `participantId` owns an omnibus or fee-payer account. */
const AccountRecord = t.Object({ account: Account, participantId: nullable(uuid()) })
export type AccountRecord = Static<typeof AccountRecord>

/** The same with its mark. */
const AccountState = t.Object({ ...AccountRecord.properties, ...changeMark })
export type AccountState = Static<typeof AccountState>

/** The data of its events; `statusChange` if its status changed. */
const AccountFact = t.Object({ ...AccountState.properties, statusChange: t.Optional(RecordStatusEntry) })

export const AccountCreated = event('account.account.created', AccountFact, {
  consumers: ['core-ledger', 'customer', 'participant', 'wallet'],
})
export const AccountUpdated = event('account.account.updated', AccountFact, {
  consumers: ['core-ledger', 'customer', 'participant', 'wallet'],
})

export const createAccount = writeCall('account', 'POST', '/v1/accounts', NewAccount, Account)
export const changeAccount = writeCall('account', 'PUT', '/v1/accounts/:id', StatusChange, Account)
/** Takes the query of GET /accounts: `{ 'filter[address]': 'eq:…' }`. */
export const findAccounts = readCall('account', 'GET', '/v1/accounts', t.Array(Account))
/** For other services only: an account with its mark, for a replica that lacks it; 404 when there is none. */
export const getAccountState = readCall('account', 'GET', '/internal/accounts/:id', AccountState)
/** The same for many. */
export const getAccountStates = batchCall('account', '/internal/accounts/states', uuid(), AccountState)
/** An account's on-chain addresses, as the wallet service has them. */
export const getAccountAddresses = readCall('account', 'GET', '/v1/accounts/:id/addresses', t.Array(t.String()))
/** For other services only: the accounts that changed. */
export const accountChanges = changesCall('account', '/internal/accounts/changes', AccountRecord)
