import type { Database } from 'bun:sqlite'
import { createSeal, openSealingKey, type Seal } from '@bursar/http'
import { fill, json, longText, oftenAs, series, sometimes } from '../fill'
import { institutions } from '../institutions'
import { makeDatabase, type Seed } from '../seed'

const payments = (rows: number) => series(2, rows)
/** Few banks have custody; one of them takes part in half of all payments. */
const banks = series(3, 20)
const records = (rows: number, kind: number) => series(kind, rows)
const firstBank = series(3, 1).id(0)
const firstInstitution = series(1, 1).id(0)

const name = `'Harbour Bank ' || i`
const bank = (i: string) => banks.sqlId(banks.sqlOwner(i))
/** Half of all belong to the first. */
const owner = (rows: number) => institutions(rows).sqlId(institutions(rows).sqlOwner())

/** The main API: half of all records belong to one institution, half of all payments to one bank. */
export const mainApi: Seed = {
  make: (folder, rows) => {
    const seal = createSeal(openSealingKey(folder, 'main-api.key'))
    return makeDatabase('main-api', folder, (db) => {
      fillInstitutions(db, rows)
      fillKeys(db, rows, seal)
      fillRecords(db, rows)
      fillPayments(db, rows)
    })
  },
  values: (rows) => {
    const own = institutions(rows)
    const last = own.count - 1
    return {
      id: [own.id(0), own.id(last)],
      amlId: [records(rows, 9).id(rows - 1)],
      transactionId: [payments(rows).id(0)],
      documentId: [records(rows, 7).id(0)],
      'GET /admin/pfi/{id}/documents/{documentId} id': [own.id(0)],
      'GET /participants/{id}/documents/{documentId} id': [own.id(0)],
      'GET /internal/bank-accounts/{id} id': [records(rows, 6).id(rows - 1)],
      participantId: [own.id(0), own.id(1)],
      'GET /admin/pfi search': ['harbour', `bank ${last}`, `reg-${last}`],
      'GET /participants/counter-parties search': ['harbour', `bank ${last}`],
      'GET /custodian-bank/transactions search': ['harbour', `ref-${rows - 1}`],
      status: ['APPROVED', 'PAUSED'],
      'GET /custodian-bank/transactions status': ['COMPLETED', 'PENDING'],
      'status[]': ['COMPLETED', 'CANCELLED'],
      type: ['TRANSFER', 'WITHDRAWAL'],
      'type[]': ['TRANSFER', 'DEPOSIT'],
      keyHash: [last.toString(16).padStart(64, '0')],
      q: ['harbour', `REG-${last}`, own.id(last)],
      'GET /internal/bank-accounts/changes after': [String(rows - 200)],
    }
  },
  plans: {
    'where ("additional_information"."participant_id" = +?': 'an institution has some dozens',
  },
  bounded: {
    custodian_banks: 'some dozens: people make them',
    participants: 'some thousands: institutions',
    handovers: 'two for each institution',
    api_keys: 'some for each institution',
  },
  peers: { '/internal/credit-lines': [] },
  apart: Object.fromEntries(
    [
      'GET /admin/users',
      'GET /participants/{id}/users',
      'GET /custodian-bank/users',
      'GET /custodian-bank/users/{userId}',
      'GET /admin/roles',
    ].map((name) => [name, 'asks the identity manager, whose lists are measured']),
  ),
  caller: (service, url) => {
    if (url.startsWith('/custodian-bank')) {
      return service.as({ kind: 'user', subject: 'somebody', custodianId: firstBank, roles: ['custodian-admin'] })
    }
    const isOwn = /^\/(participants\/(detail|counter-parties|api-key)|credit-line|additional-information)/.test(url)
    return isOwn ? service.asParticipant(firstInstitution) : undefined
  },
}

function fillInstitutions(db: Database, rows: number) {
  const own = institutions(rows)
  fill(db, 'custodian_banks', banks.count, {
    id: banks.sqlId(),
    name: `'Custody ' || i`,
    search_name: `'custody ' || i`,
    country: `'US'`,
    services: json(['custody']),
    status: `'ACTIVE'`,
    created_at: banks.sqlAt(),
  })
  fill(db, 'participants', own.count, {
    id: own.sqlId(),
    name,
    search_name: `lower(${name})`,
    email: `'desk-' || i || '@bank.example'`,
    country: `'US'`,
    business_type: `'Bank'`,
    registration_number: `'REG-' || i`,
    address: json({ street: '1 Harbour Road', city: 'New York', postalCode: '10001', country: 'US' }),
    status: oftenAs({ APPROVED: 950, UNDER_REVIEW: 20, NOT_STARTED: 10, REJECTED: 10, PAUSED: 5, OFFBOARDED: 5 }),
    approved_at: own.sqlAt(),
    created_at: own.sqlAt(),
    updated_at: own.sqlAt(),
  })
  fill(db, 'handovers', own.count, {
    id: `${own.sqlId()} || ' admission'`,
    participant_id: own.sqlId(),
    kind: `'admission'`,
    status: `'done'`,
    revision: '1',
    attempts: '0',
    done_at: own.sqlAt(),
  })
}

function fillKeys(db: Database, rows: number, seal: Seal) {
  const own = institutions(rows)
  fill(db, 'api_keys', own.count, {
    id: records(rows, 5).sqlId(),
    participant_id: own.sqlId(),
    key_hash: `printf('%064x', i)`,
    sealed_key: `''`,
    created_at: own.sqlAt(),
    expires_at: `${Date.UTC(2100, 0, 1)}`,
  })
  const setKey = db.prepare('UPDATE api_keys SET sealed_key = ? WHERE id = ?')
  for (let i = 0; i < own.count; i++) {
    const id = records(rows, 5).id(i)
    setKey.run(seal.seal(`sk_test_${i}`, id), id)
  }
}

function fillRecords(db: Database, rows: number) {
  const own = institutions(rows)
  const at = payments(rows).sqlAt()
  fill(db, 'reviews', rows, {
    id: records(rows, 4).sqlId(),
    participant_id: own.sqlId(own.sqlOwner('i * 500')),
    from: `'UNDER_REVIEW'`,
    to: `'APPROVED'`,
    comments: sometimes(20, `'${longText}'`),
    changed_at: at,
  })
  db.run(`UPDATE reviews SET participant_id = '${own.id(1)}' WHERE rowid > 1000`)
  fill(db, 'bank_accounts', rows, {
    id: records(rows, 6).sqlId(),
    participant_id: own.sqlId(`(CASE WHEN i < 200 THEN 0 ELSE i % ${own.count} END)`),
    account_number: `printf('%012d', i)`,
    routing_number: `'021000021'`,
    account_type: `'CHECKING'`,
    currency: `'USD'`,
    custodian_bank_id: bank('i'),
    custodian_bank_name: `'Custody'`,
    created_at: at,
  })
  fill(db, 'documents', rows, {
    id: records(rows, 7).sqlId(),
    participant_id: own.sqlId(`(CASE WHEN i < 100 THEN 0 ELSE i % ${own.count} END)`),
    type: `'LICENCE'`,
    file_name: `'licence.pdf'`,
    mime_type: `'application/pdf'`,
    size: '4',
    sha256: `printf('%064x', i)`,
    uploaded_at: at,
  })
  fill(db, 'document_parts', 1000, { sha256: `printf('%064x', i)`, place: '0', content: `x'25504446'` })
  fill(db, 'additional_information', rows, {
    id: records(rows, 8).sqlId(),
    participant_id: own.sqlId(`(CASE WHEN i < 100 THEN 0 ELSE i % ${own.count} END)`),
    key: `'key-' || i`,
    value: sometimes(20, `'${longText}'`, `'value'`),
    created_at: at,
    updated_at: at,
  })
  fill(db, 'aml_checks', rows, {
    id: records(rows, 9).sqlId(),
    participant_id: owner(rows),
    custodian_bank_id: bank('i'),
    amount: `'100'`,
    currency: `'USD'`,
    sealed_customer: `''`,
    score: '10',
    risk_level: `'LOW'`,
    reasons: json([]),
    rules: `'1'`,
    created_at: at,
  })
  fill(db, 'changes', own.count, { kind: `'pfi'`, record_id: own.sqlId() })
  db.run(`INSERT INTO changes (kind, record_id) SELECT 'bank-account', id FROM bank_accounts`)
}

function fillPayments(db: Database, rows: number) {
  const [own, all] = [institutions(rows), payments(rows)]
  const at = all.sqlAt()
  const from = owner(rows)
  const other = own.sqlId(`i % ${own.count - 1} + 1`)
  const party = (id: string, bankId: string) =>
    `json_object('participantId', ${id}, 'participantName', ${name}, 'participantBankId', ${id}, 'custodianBankId', ${bankId})`
  const type = oftenAs({ TRANSFER: 600, DEPOSIT: 250, WITHDRAWAL: 150 })
  const status = oftenAs({ COMPLETED: 960, PENDING: 15, FAILED: 10, REJECTED: 10, CANCELLED: 5 })
  fill(db, 'payments', rows, {
    id: all.sqlId(),
    type,
    status,
    amount: `'100.00'`,
    currency: `'USD'`,
    from: party(from, bank('i')),
    to: party(other, bank('i + 1')),
    from_participant_id: from,
    to_participant_id: other,
    reference: `'REF-' || i`,
    description: sometimes(20, `'${longText}'`),
    search_text: `'ref-' || i || ' harbour bank ' || i`,
    created_at: at,
    updated_at: at,
    epoch: '1',
    version: 'i + 1',
  })
  for (const [direction, shift] of [
    ['out', 'i'],
    ['in', 'i + 1'],
  ] as const) {
    fill(db, 'bank_payments', rows, {
      custodian_bank_id: bank(shift),
      payment_id: all.sqlId(),
      direction: `'${direction}'`,
      type,
      status,
      currency: `'USD'`,
      amount: `'100.00'`,
      amount_order: `printf('%020d', i * 7919 % 100000)`,
      created_at: at,
      updated_at: at,
    })
  }
}
