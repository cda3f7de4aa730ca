import { expect, test } from 'bun:test'
import { wayOutOf } from './way-out'

// As the ledger's books/causes.ts words them.
test.each([
  ['1 deposit is set aside, 5', 'Add their asset'],
  ['3 deposits are set aside, 12.5 together', 'Add their asset'],
  ['1 credited deposit was taken off the chain, 7', 'They may come back'],
  ['2 credited deposits were taken off the chain, 14 together', 'They may come back'],
  ['1 movement into a portfolio is not booked, 2', 'The account’s page'],
  ['4 movements out of portfolios are not booked, 9 together', 'The account’s page'],
  ['1 network fee is not booked, 0.001', 'Add the network’s own coin'],
  ['9 network fees are not booked, 0.009 together', 'Add the network’s own coin'],
  ['Something new', '`bun run reconcile`'],
])('%s', (cause, wayOut) => expect(wayOutOf(cause)).toStartWith(wayOut))
