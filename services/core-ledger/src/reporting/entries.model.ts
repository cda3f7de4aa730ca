import { about, oneOf, type Static, t, timestamp } from '@bursar/contracts/schema'
import { ledgerParts, movementEntryKinds, transactionEntryKinds } from '../ledger/ledger-accounts'

const Side = t.Object(
  {
    account: about('The id of the account; for the other kinds the name of the network', t.String()),
    bucket: about(
      'available, frozen: the two parts of an account. suspense: deposits that are not credited. returning: ' +
        'deposits that are being returned. fees: network fees paid by the platform. world: outside',
      oneOf(ledgerParts),
    ),
  },
  { title: 'EntrySide' },
)

/** GET /transactions/:id/entries */
export const Entry = t.Object(
  {
    number: about('Its number in the journal', t.Integer()),
    kind: about(
      'arrival: a deposit arrived. credit: it was credited. hold: an outgoing amount was held. release: the hold was ' +
        'released. settlement: a withdrawal was paid. delivery: a transfer arrived. return-hold: a deposit in ' +
        'suspense was held for its return. return-release: it was not sent. return: it was sent. execution: a ' +
        'portfolio’s coins moved on their chain. fee: the platform paid a network fee',
      oneOf([...transactionEntryKinds, ...movementEntryKinds]),
    ),
    from: about('The debited ledger account', Side),
    to: about('The credited ledger account', Side),
    amount: t.String(),
    at: about('When it was posted', timestamp()),
  },
  { title: 'JournalEntry' },
)
export type Entry = Static<typeof Entry>
