import type { Database } from 'bun:sqlite'
import { fill, json, oftenAs, series, sometimes } from '../fill'
import { institutions, people } from '../institutions'
import { makeDatabase, type Seed } from '../seed'

const sessions = (rows: number) => series(2, rows)
const revocations = (rows: number) => series(3, rows)
const nobody = series(7, 1)
const name = `'Ada Teller ' || i`
const email = `'user-' || i || '@bank.example'`

/** The identity manager: half of all users belong to one institution, half of all sessions to one user. */
export const identityManager: Seed = {
  make: (folder, rows) =>
    makeDatabase('identity-manager', folder, (db) => {
      fillUsers(db, rows)
      fillSessions(db, rows)
      fillFactors(db, rows)
    }),
  values: (rows) => {
    const [own, users] = [institutions(rows), people(rows)]
    const last = users.count - 1
    return {
      id: [users.id(0), users.id(last)],
      userId: [users.id(0), users.id(1)],
      ids: [users.id(0), [0, 1, 2].map((i) => users.id(i)).join(',')],
      participantId: [own.id(0), own.id(1)],
      custodianId: [own.id(1), nobody.id(0)],
      q: ['ada', `user-${last}@`],
      'GET /internal/revocations/changes after': [String(rows - 200)],
    }
  },
  plans: {
    'select count(*) from "users" where "users"."deleted_at" is null':
      'counts people in an index, of which there are a tenth of a million',
    '"users"."email_key" >= +?': 'sorts the people of one institution',
    '"users"."search_text" >= +?': 'sorts the people of one institution',
    'from "passkeys" where "passkeys"."user_id" = +?': 'a person has a handful of passkeys',
  },
  bounded: {
    signing_keys: 'a new one each quarter',
    reset_requests: 'is emptied within a second',
    login_challenges: 'is swept after some minutes',
    passkey_challenges: 'is swept after some minutes',
    provider_log_ins: 'is swept after some minutes',
  },
  scoped: { 'GET /users': [institutions(1_000_000).id(0)] },
  caller: (service, url) =>
    url.startsWith('/internal/')
      ? undefined
      : service.as({ kind: 'user', subject: people(1_000_000).id(0), roles: ['admin'] }),
}

function fillUsers(db: Database, rows: number) {
  const [own, users] = [institutions(rows), people(rows)]
  const isStaff = 'i % 1000 = 0'
  fill(db, 'users', users.count, {
    id: users.sqlId(),
    email,
    email_key: email,
    name,
    status: oftenAs({ ACTIVE: 950, INVITED: 40, DISABLED: 10 }),
    roles: `(CASE WHEN ${isStaff} THEN '["admin"]' ELSE ${oftenAs({ '["participant-user"]': 900, '["participant-admin"]': 100 })} END)`,
    is_administrator: isStaff,
    participant_id: `(CASE WHEN ${isStaff} THEN NULL ELSE ${own.sqlId(own.sqlOwner())} END)`,
    custodian_id: sometimes(100, own.sqlId('i % 10')),
    must_change_password: '0',
    search_text: `lower(${name}) || ' ' || ${email}`,
    created_at: users.sqlAt(),
    updated_at: users.sqlAt(),
  })
  fill(db, 'pfis', own.count, { id: own.sqlId(), status: `'APPROVED'`, epoch: '1', version: 'i + 1' })
  fill(db, 'participants', own.count, { id: own.sqlId(), epoch: '1', version: 'i + 1' })
}

function fillSessions(db: Database, rows: number) {
  const [users, all] = [people(rows), sessions(rows)]
  const at = all.sqlAt()
  const user = users.sqlId(`(CASE WHEN i % 1000 = 0 THEN 0 ELSE i % ${users.count} END)`)
  const never = Date.UTC(2100, 0, 1)
  fill(db, 'sessions', rows, {
    id: all.sqlId(),
    user_id: user,
    created_at: at,
    last_used_at: at,
    expires_at: `${never}`,
    access_until: at,
    address: `'192.0.2.1'`,
    user_agent: `'Mozilla/5.0'`,
    ended_at: sometimes(900, at),
    end_reason: sometimes(900, `'logout'`),
  })
  fill(db, 'refresh_tokens', rows, {
    hash: `printf('%064x', i)`,
    session_id: all.sqlId(),
    issued_at: at,
    expires_at: at,
  })
  fill(db, 'revocations', rows, { id: revocations(rows).sqlId(), user_id: user, revoked_at: at, until: `${never}` })
  fill(db, 'changes', rows, { kind: `'revocation'`, record_id: revocations(rows).sqlId() })
  fill(db, 'mails', rows, {
    id: series(4, rows).sqlId(),
    recipient: `'user-0@bank.example'`,
    subject: `'Welcome'`,
    created_at: at,
    expires_at: at,
    attempts: '1',
    sent_at: at,
  })
  fill(db, 'attempts', rows, { id: series(5, rows).sqlId(), subject: email, at })
}

function fillFactors(db: Database, rows: number) {
  const users = people(rows)
  const at = sessions(rows).sqlAt()
  const hash = `printf('%064x', i)`
  fill(db, 'password_tokens', users.count, {
    hash,
    kind: `'reset'`,
    user_id: users.sqlId(),
    created_at: users.sqlAt(),
    expires_at: users.sqlAt(),
  })
  fill(db, 'authenticators', users.count, {
    user_id: users.sqlId(),
    secret: `'sealed'`,
    created_at: users.sqlAt(),
    confirmed_at: users.sqlAt(),
    last_step: '0',
  })
  fill(db, 'provider_accounts', users.count, {
    issuer: `'https://sso.example'`,
    subject: `'subject-' || i`,
    user_id: users.sqlId(),
    created_at: users.sqlAt(),
    last_used_at: users.sqlAt(),
  })
  fill(db, 'recovery_codes', rows, { hash, user_id: users.sqlId(`i % ${users.count}`), created_at: at })
  fill(db, 'passkeys', users.count, {
    id: hash,
    user_id: users.sqlId(),
    name: `'Laptop'`,
    public_key: `'key'`,
    counter: '0',
    transports: json([]),
    created_at: users.sqlAt(),
  })
}
