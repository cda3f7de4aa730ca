import type { Deps } from '@bursar/http'
import { auditRoutes } from '../../../services/gateway/src/audit-trail/audit.routes'
import type { GatewayDeps } from '../../../services/gateway/src/deps'
import { fill, firstDay, json, oftenAs, series } from '../fill'
import { people } from '../institutions'
import { makeDatabase, noReplicas, type Seed } from '../seed'

const acts = (rows: number) => series(1, Math.max(10, Math.floor(rows / 2)))
const accounts = (rows: number) => series(2, rows)
const action = { many: 'PUT /accounts/:id', few: 'POST /users/:id/disable' }

/** The gateway: half of all acts of administration are one person's. */
export const gateway: Seed = {
  make: (folder, rows) =>
    makeDatabase('gateway', folder, (db) => {
      const own = acts(rows)
      const actor = people(rows).sqlId(people(rows).sqlOwner('(i / 2)'))
      fill(db, 'audit_trail', own.count * 2, {
        number: 'i + 1',
        act_id: own.sqlId('(i / 2)'),
        step: `(CASE WHEN i % 2 = 0 THEN 'asked' ELSE 'answered' END)`,
        at: own.sqlAt('(i / 2)'),
        door: `'console'`,
        actor,
        roles: `'operator'`,
        address: `'192.0.2.1'`,
        service: `'account'`,
        action: oftenAs({ [action.many]: 990, [action.few]: 10 }, '(i / 2)'),
        object: accounts(rows).sqlId(accounts(rows).sqlOwner('(i / 2)')),
        status: `(CASE WHEN i % 2 = 1 THEN 200 END)`,
        request_id: own.sqlId('(i / 2)'),
        detail: json({ request: { status: 'inactive' } }),
        previous_hash: `printf('%064x', i)`,
        hash: `printf('%064x', i + 1)`,
      })
      const transaction_id = own.sqlId('i')
      fill(db, 'review_assignments', own.count, {
        transaction_id,
        user_id: actor,
        assigned_by: actor,
        assigned_at: own.sqlAt('i'),
      })
      fill(db, 'review_comments', own.count, {
        id: own.sqlId('i'),
        transaction_id,
        author_id: actor,
        text: `'Asked the customer'`,
        created_at: own.sqlAt('i'),
      })
    }),
  values: (rows) => {
    const own = acts(rows)
    const last = own.count - 1
    const late = own.at(last - 5).toISOString()
    return {
      id: [own.id(0), own.id(last)],
      actor: [people(rows).id(0), people(rows).id(1)],
      action: [action.many, action.few, 'nothing'],
      object: [accounts(rows).id(0), accounts(rows).id(1)],
      from: [firstDay, late],
      to: [own.at(last).toISOString(), own.at(5).toISOString()],
    }
  },
  bounded: {
    ...noReplicas,
    institution_addresses: 'one row an institution at most: administrators set them',
    console_sessions: 'those that are under way: swept',
    console_preferences: 'one row a person',
    saved_views: 'what people of the console keep by name',
  },
  apart: { 'GET /console/api/audit/verify': 'goes over the chain part by part, and says how far it is' },
  // The lists behind the door, which has tests of its own.
  app: (deps) => auditRoutes({ ...(deps as Deps & GatewayDeps), ...openDoor }),
  end: (deps) => (deps as Deps & GatewayDeps).sharedBuckets.close(),
}

const openDoor = {
  sessions: { of: async () => ({ row: {}, caller: { participantId: null, roles: ['admin'] }, counted: 'somebody' }) },
  rateLimits: { take: async () => {} },
} as unknown as Pick<GatewayDeps, 'sessions' | 'rateLimits'>
