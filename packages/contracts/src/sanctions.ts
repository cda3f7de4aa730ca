import { batchCall } from './batch'
import { readCall, writeCall } from './call'
import { event } from './event'
import { about, jsonObject, nullable, oneOf, type Static, t, text, timestamp, uuid } from './schema'

/** The answer of one source. `details` is the evidence: list, version, age, the matched entries. */
export const ScreeningSource = t.Object(
  { provider: about('The source', t.String()), match: t.Boolean(), details: jsonObject() },
  { title: 'ScreeningSource' },
)
export type ScreeningSource = Static<typeof ScreeningSource>

const verdict = {
  blockchain: t.String(),
  sanctioned: t.Boolean(),
  /** Every source that was asked. */
  sources: t.Array(ScreeningSource),
  checkedAt: timestamp(),
}
/** The result of an address's screening (spec 3, Sanctions job and result). */
export const AddressResult = t.Object({ address: t.String(), ...verdict }, { title: 'AddressResult' })
export type AddressResult = Static<typeof AddressResult>
/** The result of a transaction's screening: it is sanctioned when one of its parties is. */
export const TransactionResult = t.Object({ transactionId: t.String(), ...verdict }, { title: 'TransactionResult' })
export type TransactionResult = Static<typeof TransactionResult>

/** What a job screens: an address, a transaction on a chain, or the counterparty of a transaction of the core ledger. */
export const screeningKinds = ['address', 'transaction', 'ledger'] as const
export const jobStatuses = ['pending', 'completed', 'failed'] as const

/** A screening job has ended. The core ledger takes those of kind `ledger` as its transactions' screening. */
export const SanctionsJobCompleted = event(
  'sanctions.job.completed',
  t.Object({
    /** The version of this shape. */
    v: t.Literal(1),
    jobId: uuid(),
    kind: oneOf(screeningKinds),
    /** The caller's name of the job; for kind `ledger`: the id of the ledger's transaction. */
    externalId: t.String(),
    participantId: nullable(t.String()),
    status: oneOf(['completed', 'failed']),
    /** Null if it failed: then nothing is known, and nothing may be approved. */
    result: nullable(t.Union([AddressResult, TransactionResult])),
    /** Why it failed; null otherwise. */
    error: nullable(t.String()),
    listId: t.Optional(about('The list that an address was compared with', t.Integer())),
    at: timestamp(),
  }),
  { consumers: ['core-ledger'] },
)
export type SanctionsJobCompleted = Static<typeof SanctionsJobCompleted.payload>

/** A newly listed address that was screened before, or was the counterparty of a transaction. */
export const AddressListed = event(
  'sanctions.address.listed',
  t.Object({
    v: t.Literal(1),
    id: uuid(),
    address: t.String(),
    blockchain: t.String(),
    /** The participant that screened it, or whose transaction it was; null for none. */
    participantId: nullable(t.String()),
    /** The ledger's last transaction with it; null when it was only screened. */
    ledgerTransactionId: nullable(t.String()),
    source: ScreeningSource,
    at: timestamp(),
  }),
  {
    consumers: ['core-ledger', 'log-tracker'],
    log: ({ id, address, blockchain, participantId, ledgerTransactionId, source }) => ({
      event_type: 'ERROR_OCCURRED',
      status: 'FAILURE',
      metadata: {
        action: 'sanctions_hit',
        hit_id: id,
        address,
        blockchain,
        participant_id: participantId,
        transaction_id: ledgerTransactionId,
        list: source.details.list,
        list_version: source.details.version,
      },
    }),
  },
)
export type AddressListed = Static<typeof AddressListed.payload>

/** An entry of a list: an address and whose it is. */
export const ListEntry = t.Object({
  /** The list's own id of the person or entity. */
  entryId: text(64),
  /** The list's own symbol: `ETH`, `XBT`, `USDT`. It does not determine the chain. */
  asset: text(32),
  address: text(256),
  name: nullable(t.String({ maxLength: 500 })),
})
export type ListEntry = Static<typeof ListEntry>

/** The origin of a list. */
export const ListOrigin = t.Object({
  /** `OFAC SDN` */
  name: text(64),
  /** The file or URL. */
  source: text(2048),
  /** When its publisher published it. */
  publishedAt: timestamp(),
})
export type ListOrigin = Static<typeof ListOrigin>

export const ListState = t.Object({
  id: t.Integer(),
  ...ListOrigin.properties,
  checksum: nullable(t.String()),
  entries: t.Integer({ minimum: 0 }),
  names: t.Integer({ minimum: 0 }),
  /** `emptied`: retired, and its entries are deleted. */
  status: oneOf(['draft', 'current', 'retired', 'emptied']),
})
export type ListState = Static<typeof ListState>

/** The list that screenings use. */
export const getListInUse = readCall('sanctions', 'GET', '/internal/lists/current', ListState)
/** Begins a new list; it is not used before it is activated. */
export const beginList = writeCall('sanctions', 'POST', '/internal/lists', ListOrigin, ListState)
/** The most entries that one call takes. */
export const mostEntriesPerCall = 250
/** `first` is the number of entries before them, so that a repeat adds nothing. */
export const NewListEntries = t.Object({
  first: t.Integer({ minimum: 0 }),
  entries: t.Array(ListEntry, { minItems: 1, maxItems: mostEntriesPerCall }),
})
/** Adds entries to a list that was begun. */
export const addListEntries = writeCall('sanctions', 'POST', '/internal/lists/:id/entries', NewListEntries, ListState)

export const ListActivation = t.Object({
  /** SHA-256 of the published file, in hex. */
  checksum: t.String({ pattern: '^[0-9a-f]{64}$' }),
  /** The expected number of entries. */
  entries: t.Integer({ minimum: 1 }),
  /** The expected number of names; 0 by default. */
  names: t.Optional(t.Integer({ minimum: 0 })),
  force: t.Optional(t.Boolean()),
})
export type ListActivation = Static<typeof ListActivation>
/**
 * Makes a list the one that screenings use. 400 when it has another number of entries. 409 when it is older than the
 * list in use, has less than half its entries, or is dated ahead, unless `force`; when another was activated meanwhile, in any case.
 */
export const activateList = writeCall('sanctions', 'POST', '/internal/lists/:id/activate', ListActivation, ListState)

/** An update of the list that failed, with the reason. */
export const ListFailure = t.Object({ source: text(2048), reason: text(2000) })
export type ListFailure = Static<typeof ListFailure>
/** For the operator's tool: reports a failed update. */
export const reportListFailure = writeCall('sanctions', 'POST', '/internal/lists/failures', ListFailure, ListFailure)

/** A person or an organisation on a list, with each of its names. */
export const ListedName = t.Object({
  /** The list's own id of the person or organisation. */
  entryId: text(64),
  name: text(500),
})
export type ListedName = Static<typeof ListedName>

/** `first` is the number of names before them, so that a repeat adds nothing. */
export const NewListNames = t.Object({
  first: t.Integer({ minimum: 0 }),
  names: t.Array(ListedName, { minItems: 1, maxItems: mostEntriesPerCall }),
})
/** Adds names to a list that was begun. */
export const addListNames = writeCall('sanctions', 'POST', '/internal/lists/:id/names', NewListNames, ListState)

/** A person's whole name. */
export const NameToScreen = t.Object({ name: text(250) })

/**
 * For the main API: persons on the list in use with this name, word for word in any order, regardless of case and
 * accents.
 */
export const screenName = writeCall(
  'sanctions',
  'POST',
  '/internal/names/screen',
  NameToScreen,
  t.Object({
    list: t.Object({ name: t.String(), publishedAt: timestamp() }),
    /** The number of compared names. 0 if the list has none or is in other letters: then nobody was screened. */
    listed: t.Integer({ minimum: 0 }),
    /** At most 20, the same names first. `isSame`: both have the same words; else all words of one stand in the other. */
    matches: t.Array(t.Object({ ...ListedName.properties, isSame: t.Boolean() })),
  }),
)

/**
 * Screenings use another list from now on: payments passed by an older one are screened again before they are signed.
 */
export const ListActivated = event(
  'sanctions.list.activated',
  t.Object({ v: t.Literal(1), listId: t.Integer(), name: t.String(), publishedAt: timestamp(), at: timestamp() }),
  { consumers: ['core-ledger'] },
)

/** An address on a chain, by the list in use. */
export const AddressToScreen = t.Object({ address: text(256), blockchain: text(128) })
export const ScreenedAddress = t.Object({
  address: t.String(),
  listId: t.Integer(),
  isListed: t.Boolean(),
  /** The evidence; null when it is not listed. */
  source: nullable(ScreeningSource),
})
/** For the core ledger, before a signature: only the local list is asked. Null if the result is unknown. */
export const screenAddresses = batchCall('sanctions', '/internal/addresses/screen', AddressToScreen, ScreenedAddress)
