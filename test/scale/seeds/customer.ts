import { fill, longText, oftenAs, series, sometimes } from '../fill'
import { makeDatabase, type Seed } from '../seed'

const customers = (rows: number) => series(1, rows)
const accounts = (rows: number) => series(2, rows)

/** The customer service with a customer that has half of all accounts. */
export const customer: Seed = {
  make: (folder, rows) =>
    makeDatabase('customer', folder, (db) => {
      const [own, held] = [customers(rows), accounts(rows)]
      fill(db, 'customers', rows, {
        id: own.sqlId(),
        external_id: sometimes(10, `'${longText.slice(0, 200)} ' || i`, `'customer-' || i`),
        status: oftenAs({ active: 960, inactive: 20, suspended: 15, deleted: 5 }),
        created_at: own.sqlAt(),
      })
      fill(db, 'accounts', rows, {
        id: held.sqlId(),
        customer_id: own.sqlId(own.sqlOwner()),
        epoch: '1',
        version: 'i + 1',
      })
      fill(db, 'status_changes', rows, {
        id: series(5, rows).sqlId(),
        // The first customer changes a thousand times.
        record_id: own.sqlId('(CASE WHEN i % 1000 = 0 THEN 0 ELSE i END)'),
        from: `'active'`,
        to: `'inactive'`,
        actor_kind: `'user'`,
        actor_id: `'somebody'`,
        at: own.sqlAt(),
      })
      fill(db, 'search_texts', rows, { text: `'customer-' || i`, record_id: own.sqlId() })
      fill(db, 'changes', rows, { kind: `'customer'`, record_id: own.sqlId() })
    }),
  values: (rows) => {
    const own = customers(rows)
    return {
      id: [own.id(0), own.id(rows - 1)],
      externalId: [`customer-${rows - 1}`],
      'GET /customers q': ['customer', `customer-${rows - 1}`],
      'GET /customers/export q': ['customer', `customer-${rows - 1}`],
      'GET /internal/search q': ['customer', own.id(rows - 1)],
      participantId: [own.id(0)],
      'GET /internal/customers/changes after': [String(rows - 200)],
    }
  },
  bounded: {},
  apart: {
    'GET /customers/{id}/accounts/addresses': 'asks the account service for each account; the reads are by customer',
  },
}
