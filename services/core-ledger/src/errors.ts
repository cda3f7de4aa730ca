import { defineErrors } from '@bursar/http'

/** Every error of this service (spec 2, Errors; decisions, Core ledger). */
export const fail = defineErrors({
  ASSET_NOT_FOUND: [404, 'Asset not found'],
  ASSET_CODE_TAKEN: [409, 'An asset with this code already exists'],
  /** A change to another asset's code; on creation it is a 409. */
  ASSET_CODE_CONFLICT: [400, 'Another asset has this code'],
  ASSET_COIN_TAKEN: [409, 'Another asset is this coin of its network'],
  /** A change to another asset's coin; on creation it is a 409. */
  ASSET_COIN_CONFLICT: [400, 'Another asset is this coin of its network'],
  NETWORK_INVALID: [400, 'network is not a network’s name'],
  ASSET_IN_USE: [400, 'The asset cannot be deleted: it has balances or transactions'],
  ASSET_DECIMALS_FIXED: [400, 'decimals cannot be changed: the asset has transactions'],
  ASSET_CONTRACT_FIXED: [400, 'contractAddress cannot be changed: the asset has transactions'],
  ASSET_NETWORK_FIXED: [400, 'blockchain cannot be changed: the asset has transactions'],

  ACCOUNT_NOT_FOUND: [404, 'Account not found'],
  ACCOUNT_NOT_ACTIVE: [400, 'The account is not active'],
  CUSTOMER_NOT_FOUND: [404, 'Customer not found'],
  ACCOUNTS_UNAVAILABLE: [503, 'The account cannot be looked up right now; repeat the request in a moment'],

  TRANSACTION_NOT_FOUND: [404, 'Transaction not found'],
  AMOUNT_INVALID: [400, 'amount is not valid'],
  ADDRESS_INVALID: [400, 'destinationAddress is not valid'],
  NETWORK_MISMATCH: [400, 'network is not the asset’s network'],
  INSUFFICIENT_BALANCE: [400, 'Insufficient balance'],
  HOT_WALLET_DESTINATION: [400, 'destinationAddress is the deployment’s own hot wallet, which belongs to no account'],
  OMNIBUS_ACCOUNT_NEEDED: [400, 'The account is not an omnibus account'],
  /** The coins of a portfolio are at its own address. */
  PORTFOLIO_TRANSFER: [400, 'The coins of a portfolio account are at its own address: withdraw to its address instead'],
  SAME_ACCOUNT: [400, 'toAccountId must be another account than fromAccountId'],
  DEPOSIT_DIFFERS: [409, 'This on-chain transfer is recorded with other contents'],
  /** In production: see networks/known-networks.ts and deposits/known-transfers.ts. */
  DEPOSIT_UNKNOWN: [
    400,
    'The chain knows no final transfer of this hash with this account, asset, amount, source and index',
  ],
  NETWORK_UNKNOWN: [400, 'network is not configured'],
  CHAIN_UNAVAILABLE: [503, 'The chain cannot be asked right now; repeat the request in a moment'],
  /** The transaction's status does not allow it. */
  ILLEGAL_MOVE: [400, 'The transaction’s status does not allow this'],
  /** An operator cannot fail it, because it may be paid. */
  WITHDRAWAL_KNOWN: [409, 'The wallet service has this withdrawal'],
  WALLET_UNAVAILABLE: [503, 'The wallet service cannot be asked right now; the transaction stays as it is'],
  /** FOUR_EYES_USD: see approvals/four-eyes.ts. */
  PERSON_NEEDED: [403, 'This takes two persons: log in, and approve as yourself'],
  SCREENED_BY_PERSON: [
    403,
    'Its approval takes two persons: freeze it (isApproved false), then have two persons approve it',
  ],
  ENTERED_BY_SAME_PERSON: [409, 'You have entered it yourself; two other persons must approve it'],
  SAME_PERSON: [409, 'You have approved this already; another person must approve it, too'],
  PRICED_BY_SAME_PERSON: [
    409,
    'You have changed this asset’s price, code, decimals or network within the last day; others must approve it',
  ],
  /** Why a deposit cannot be credited; the message says it. */
  RELEASE_REFUSED: [400, 'The deposit cannot be credited now'],
  /** Why a deposit cannot be returned to its source; the message says it. */
  RETURN_REFUSED: [422, 'The deposit cannot be returned'],
  /** A return that failed here and was paid. */
  RETURN_PAID: [409, 'A return of this deposit that failed was paid'],
  WRONG_TYPE: [400, 'The transaction is of another type'],

  MOVEMENT_NOT_FOUND: [404, 'Movement not found'],
  RECONCILIATION_INCOMPLETE: [503, 'The wallet or the blockchain service cannot be asked'],
  /** NEW_BOOKS: see reconciliation/books.ts. */
  BOOKS_DIFFER: [503, 'The ledger moves no money: its file is not the one that was sealed last'],

  FILTER_INVALID: [400, 'filter is not valid'],
  SIGNATURE_INVALID: [401, 'The signature of the screening result is missing or not valid'],
  ADDRESS_REFUSED: [403, 'Screening results are not taken from this address'],

  RANGE_INVALID: [400, 'from and to are not a valid range'],
  STATEMENT_TOO_LONG: [422, 'The statement has too many changes: ask for a shorter or a later period'],

  PORTFOLIO_ACCOUNT_NEEDED: [400, 'The account is not a portfolio account'],
  /** Refusals of the wallet service, with its messages. */
  WALLET_REFUSED: [400, 'The wallet service does not take this'],
  WALLET_NOT_FOUND: [404, 'The wallet service does not find this'],
  WALLET_UNSUPPORTED: [422, 'The wallet service does not support this'],
  WALLET_FAILED: [502, 'The wallet service failed or cannot be reached; repeat the request in a moment'],
  WALLET_TIMED_OUT: [
    504,
    'The wallet service did not answer in time; repeat the request with the same Idempotency-Key',
  ],
})
