import { createSeal, openSealingKey } from '@bursar/http'
import { fill, json, oftenAs, series, sometimes } from '../fill'
import { institutions } from '../institutions'
import { makeDatabase, type Seed } from '../seed'

const customers = (rows: number) => series(2, rows)
const accounts = (rows: number) => series(3, rows)
const sagas = (rows: number) => series(4, rows)
const nameOf = (i: string) => `'Harbour Bank ' || ${i}`

/** The participant service: half of all customers belong to one participant, a thousand of them by its present list. */
export const participant: Seed = {
  make: (folder, rows) => {
    const seal = createSeal(openSealingKey(folder, 'participant.key'))
    return makeDatabase('participant', folder, (db) => {
      const [own, people, held] = [institutions(rows), customers(rows), accounts(rows)]
      fill(db, 'participants', own.count, {
        id: own.sqlId(),
        live: '1',
        institution_name: nameOf('i'),
        search_name: `lower(${nameOf('i')})`,
        key_hash: `printf('%064x', i)`,
        sealed_key: `''`,
        router_data: sometimes(900, json({ region: 'eu-west', chain: 'ethereum' })),
        router_text: sometimes(900, `lower(${json({ region: 'eu-west', chain: 'ethereum' })})`),
        omnibus_account_id: held.sqlId(),
        created_at: own.sqlAt(),
        updated_at: own.sqlAt(),
      })
      const setKey = db.prepare('UPDATE participants SET sealed_key = ? WHERE id = ?')
      for (let i = 0; i < own.count; i++) setKey.run(seal.seal(`sk_test_${i}`, own.id(i)), own.id(i))
      for (const word of ['region', 'eu-west', 'chain', 'ethereum']) {
        fill(db, 'router_words', own.count, { participant_id: own.sqlId(), address: `'${word}'`, name: `'${word}'` })
      }
      fill(db, 'customers', rows, {
        id: people.sqlId(),
        external_id: `'customer-' || i`,
        status: `'active'`,
        version: 'i + 1',
        created_at: people.sqlAt(),
        epoch: '1',
      })
      fill(db, 'members', rows, {
        customer_id: people.sqlId(),
        participant_id: own.sqlId(own.sqlOwner()),
        // Those that later lists have left out stay without a place.
        position: '(CASE WHEN i < 2000 THEN i END)',
      })
      fill(db, 'accounts', rows, {
        id: held.sqlId(),
        customer_id: people.sqlId('i'),
        type: `'STABLECOINS'`,
        status: `'active'`,
        name: `'Account ' || i`,
        version: 'i + 1',
        created_at: held.sqlAt(),
        epoch: '1',
      })
      fill(db, 'sagas', rows, {
        id: sagas(rows).sqlId(),
        participant_id: own.sqlId(own.sqlOwner()),
        kind: oftenAs({ update: 900, create: 100 }),
        state: `'done'`,
        checked: '1',
        members: '0',
        request_hash: `''`,
        answered: '1',
        created_at: people.sqlAt(),
        finished_at: people.sqlAt(),
        attempts: '0',
      })
      fill(db, 'saga_steps', rows, {
        saga_id: sagas(rows).sqlId(),
        position: '0',
        kind: `'customer'`,
        member: '0',
        input: `'{}'`,
        done: '1',
      })
      fill(db, 'former_keys', own.count, {
        key_hash: `printf('f%063x', i)`,
        participant_id: own.sqlId(),
        valid_until: own.sqlAt(),
      })
      fill(db, 'changes', rows, {
        kind: oftenAs({ 'customer-owner': 900, participant: 100 }),
        record_id: people.sqlId(),
      })
      db.run(`DELETE FROM changes WHERE kind = 'participant'`)
      fill(db, 'changes', own.count, { kind: `'participant'`, record_id: own.sqlId() })
    })
  },
  values: (rows) => {
    const own = institutions(rows)
    const last = own.count - 1
    return {
      id: [own.id(0), own.id(last)],
      institutionName: ['harbour', `Bank ${last}`],
      blockchain: ['ethereum', 'solana'],
      customerId: [customers(rows).id(rows - 1)],
      routerData: ['eu-west', '"region"'],
      keyHash: [last.toString(16).padStart(64, '0')],
      q: ['harbour', `Harbour Bank ${last}`, own.id(last)],
      participantId: [own.id(0)],
      'GET /participants address': ['ethereum'],
      // Of the present list: whose another customer is, the customer service is asked.
      'GET /internal/customer-owners/{customerId} customerId': [
        customers(rows).id(0),
        customers(rows).id(Math.min(rows, 2000) - 1),
      ],
      'GET /internal/account-owners/{accountId} accountId': [
        accounts(rows).id(0),
        accounts(rows).id(Math.min(rows, 2000) - 1),
      ],
      'GET /internal/customer-owners/changes after': [String(rows - 200)],
    }
  },
  plans: {
    'from "members" inner join "accounts"': 'sorts the accounts of one customer, of which there are some',
  },
  bounded: {
    participants: 'some thousands: institutions',
    former_keys: 'some for each institution',
  },
  peers: { '/v1/accounts': [] },
}
