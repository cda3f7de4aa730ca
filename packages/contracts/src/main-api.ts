import { readCall } from './call'
import { event } from './event'
import { changeMark, changesCall } from './replica'
import { nullable, oneOf, type Static, t, timestamp, uuid } from './schema'

/** decisions, PFI participant status. */
export const pfiStatuses = ['NOT_STARTED', 'UNDER_REVIEW', 'APPROVED', 'REJECTED', 'PAUSED', 'OFFBOARDED'] as const
export type PfiStatus = (typeof pfiStatuses)[number]

/**
 * A payment financial institution as other services see it. Its id is also its id at the participant service, where it
 * exists from its first approval on.
 */
export const PfiRecord = t.Object({
  id: uuid(),
  name: t.String(),
  country: t.String(),
  status: oneOf(pfiStatuses),
})
export type PfiRecord = Static<typeof PfiRecord>

const PfiState = t.Object({ ...PfiRecord.properties, ...changeMark })
export type PfiState = Static<typeof PfiState>

/** A participant was registered, or its name, country or status has changed. */
export const PfiChanged = event('main-api.pfi.changed', PfiState, {
  consumers: ['transaction-manager', 'identity-manager', 'core-ledger', 'webhook'],
})
/** For other services only: the participants that changed. */
export const pfiChanges = changesCall('main-api', '/internal/pfi/changes', PfiRecord)

/** An account of a participant at a custodian bank: what a payment between banks names as a `participantBankId`. */
export const BankAccountRecord = t.Object({
  id: uuid(),
  participantId: uuid(),
  accountNumber: t.String(),
  routingNumber: t.String(),
  /** ISO 4217. */
  currency: t.String(),
  custodianBankId: uuid(),
  custodianBankName: t.String(),
})
export type BankAccountRecord = Static<typeof BankAccountRecord>

const BankAccountState = t.Object({ ...BankAccountRecord.properties, ...changeMark })
export type BankAccountState = Static<typeof BankAccountState>

/** An account was added, or its bank renamed. */
export const BankAccountChanged = event('main-api.bank-account.changed', BankAccountState, {
  consumers: ['transaction-manager'],
})
/** For other services only: the bank accounts that changed. */
export const bankAccountChanges = changesCall('main-api', '/internal/bank-accounts/changes', BankAccountRecord)
/** For other services only: a bank account with its mark, for a replica that lacks it; 404 when there is none. */
export const getBankAccountState = readCall('main-api', 'GET', '/internal/bank-accounts/:id', BankAccountState)
/** For other services only: a participant with its mark, for a replica that lacks it; 404 when there is none. */
export const getPfiState = readCall('main-api', 'GET', '/internal/pfi/:id', PfiState)

/** For the gateway: the key with this SHA-256 (hex); 404 if the main API never issued it. */
export const getApiKeyByHash = readCall(
  'main-api',
  'GET',
  '/internal/api-keys/by-hash/:keyHash',
  t.Object({
    participantId: uuid(),
    /** `expired` by its date, `revoked` by a newer key whose grace time is over. */
    status: oneOf(['valid', 'expired', 'revoked'] as const),
    /** The time until which it is valid. */
    validUntil: timestamp(),
    /** The addresses and networks that it may be used from; null for any. */
    addresses: nullable(t.Array(t.String())),
  }),
)
/**
 * For the gateway: whether a participant has a key yet; until then the main API accepts its users' Bearer alone. 404 for
 * one that never registered here, and so has a key.
 */
export const getKeyState = readCall(
  'main-api',
  'GET',
  '/internal/participants/:id/key-state',
  t.Object({ hasKey: t.Boolean(), issuedAt: nullable(timestamp()) }),
)
