import { about, oneOf, type Static, t, timestamp } from '@bursar/contracts/schema'

const Side = t.Object(
  {
    account: about('The id of the account; of the others the name of the network', t.String()),
    bucket: about(
      'available, frozen: the two parts of an account. suspense: deposits that no account has yet. returning: ' +
        'deposits on their way back. fees: network fees that the platform has paid. world: outside',
      oneOf(['available', 'frozen', 'suspense', 'returning', 'fees', 'world']),
    ),
  },
  { title: 'EntrySide' },
)

/** GET /transactions/:id/entries */
export const Entry = t.Object(
  {
    number: about('Its place in the journal', t.Integer()),
    kind: about(
      'arrival: a deposit came in. credit: it became its account’s. hold: what goes out was set aside. release: it was ' +
        'given back. settlement: a withdrawal has left. delivery: a transfer arrived. return-hold: a deposit in ' +
        'suspense was set aside, to be sent back. return-release: it was not sent. return: it has left. execution: a ' +
        'portfolio’s coins moved on their chain. fee: the platform paid a network',
      oneOf([
        'arrival',
        'credit',
        'hold',
        'release',
        'settlement',
        'delivery',
        'return-hold',
        'return-release',
        'return',
        'execution',
        'fee',
      ]),
    ),
    from: about('What it was taken from', Side),
    to: about('What it was added to', Side),
    amount: t.String(),
    at: about('When it was posted', timestamp()),
  },
  { title: 'JournalEntry' },
)
export type Entry = Static<typeof Entry>
