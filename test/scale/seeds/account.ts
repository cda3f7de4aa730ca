import { fill, longText, oftenAs, series, sometimes } from '../fill'
import { makeDatabase, type Seed } from '../seed'

/** An omnibus and a fee-payer account of each, at the beginning. */
const participants = (rows: number) => Math.max(2, Math.floor(rows / 1000))
const customers = (rows: number) => series(1, Math.max(3, Math.floor(rows / 5)))
const accounts = (rows: number) => series(2, rows)
const participant = series(3, 1000)

/** The account service with a customer that has half of all accounts. */
export const account: Seed = {
  make: (folder, rows) =>
    makeDatabase('account', folder, (db) => {
      const [owners, own] = [customers(rows), accounts(rows)]
      const firsts = participants(rows) * 2
      const ofCustomer = (value: string) => `(CASE WHEN i < ${firsts} THEN NULL ELSE ${value} END)`
      const external = (i: string) => `'customer-' || ${i}`
      fill(db, 'customers', owners.count, {
        id: owners.sqlId(),
        external_id: external('i'),
        epoch: '1',
        version: 'i + 1',
      })
      fill(db, 'accounts', rows, {
        id: own.sqlId(),
        customer_id: ofCustomer(owners.sqlId(owners.sqlOwner())),
        customer_external_id: ofCustomer(external(owners.sqlOwner())),
        wallet_account_id: sometimes(800, series(4, rows).sqlId()),
        account_external_id: ofCustomer(`'acc-' || i`),
        type: `(CASE WHEN i < ${firsts} THEN ${evenOdd("'OMNIBUS'", "'FEE_PAYER'")} ELSE ${oftenAs({ STABLECOINS: 900, PORTFOLIO: 100 })} END)`,
        status: oftenAs({ active: 960, inactive: 20, suspended: 15, deleted: 5 }),
        name: sometimes(10, `'${longText.slice(0, 200)} ' || i`, `'Treasury account ' || i`),
        customer_name: ofCustomer(`'Harbour Trading ' || ${owners.sqlOwner()}`),
        participant_id: `(CASE WHEN i < ${firsts} THEN ${participant.sqlId('i / 2')} END)`,
        created_at: own.sqlAt(),
      })
      fill(db, 'addresses', rows, { account_id: own.sqlId(), address: `printf('0x%040x', i)` })
      fill(db, 'status_changes', rows, {
        id: series(5, rows).sqlId(),
        // The first account changes a thousand times.
        record_id: own.sqlId(`(CASE WHEN i % 1000 = 0 THEN ${firsts} ELSE i END)`),
        from: `'active'`,
        to: `'inactive'`,
        actor_kind: `'user'`,
        actor_id: `'somebody'`,
        at: own.sqlAt(),
      })
      fill(db, 'search_texts', rows, { text: `'treasury account ' || i`, record_id: own.sqlId() })
      fill(db, 'changes', rows, { kind: `'account'`, record_id: own.sqlId() })
    }),
  values: (rows) => {
    const [owners, own] = [customers(rows), accounts(rows)]
    const [first, last] = [participants(rows) * 2, rows - 1]
    return {
      id: [own.id(first), own.id(last)],
      'filter[id]': [`eq:${own.id(first)}`, `in:${own.id(first)},${own.id(last)}`],
      'filter[externalId]': [`eq:acc-${last}`],
      'filter[address]': [`eq:0x${last.toString(16).padStart(40, '0')}`],
      'GET /accounts q': ['treasury', `account ${last}`],
      'GET /accounts/export q': ['treasury', `account ${last}`],
      'GET /internal/search q': ['treasury', own.id(last)],
      customerId: [owners.id(0), owners.id(1)],
      participantId: [participant.id(0)],
      'GET /internal/accounts/changes after': [String(rows - 200)],
    }
  },
  bounded: {},
  apart: {
    'GET /accounts/{id}/addresses': 'asks the wallet service; reads one account by its id',
    'GET /accounts/{id}/balance': 'asks the core ledger; reads one account by its id',
  },
  caller: (service, url) => (/\/(omnibus|fee-payer)$/.test(url) ? service.asParticipant(participant.id(0)) : undefined),
}

function evenOdd(even: string, odd: string): string {
  return `(CASE WHEN i % 2 = 0 THEN ${even} ELSE ${odd} END)`
}
