import type { Database } from 'bun:sqlite'
import { fill, json, numbers, oftenAs, series, sometimes } from '../fill'
import { institutions } from '../institutions'
import { makeDatabase, type Seed } from '../seed'

const sends = (rows: number) => series(2, rows)
const transfers = (rows: number) => series(3, rows)
const movements = (rows: number) => series(4, rows)
const network = oftenAs({ testnet: 900, othernet: 100 })
const busiest = `0x${'0'.repeat(40)}`
/** Half of all are at one address. */
const busy = (i: string) => `printf('0x%040x', CASE WHEN ${i} % 2 = 0 THEN 0 ELSE ${i} END)`
const hash = `printf('0x%064x', i)`
const address = `printf('0x%040x', i)`

/** The blockchain service: nearly all sends are confirmed, and one address has half of all transfers. */
export const blockchain: Seed = {
  make: (folder, rows) =>
    makeDatabase('blockchain', folder, (db) => {
      fillSimulated(db, rows)
      fillSends(db, rows)
      fillTransfers(db, rows)
      fillChanges(db, rows)
    }),
  values: (rows) => {
    const last = rows - 1
    const lastAddress = `0x${last.toString(16).padStart(40, '0')}`
    const lastHash = `0x${last.toString(16).padStart(64, '0')}`
    return {
      address: [busiest, lastAddress],
      'filter[currency]': ['USDX'],
      'filter[amount]': ['gt:1'],
      network: ['testnet', 'othernet'],
      transactionHash: [lastHash],
      txHash: [lastHash],
      id: [sends(rows).id(0), sends(rows).id(last)],
      q: [lastAddress, lastHash, sends(rows).id(last)],
      participantId: [institutions(rows).id(0)],
      'GET /internal/sends/changes after': [String(rows - 200)],
      'GET /internal/deposits/changes after': [String(2 * rows - 200)],
      'GET /internal/movements/changes after': [String(3 * rows - 200)],
    }
  },
  plans: {
    'from "simulated_balances" where "simulated_balances"."address" = +?': 'an address is one of some networks',
    '"movements"."confirmed_at" is null and "movements"."decimals" is null': 'reads those that are not told yet',
  },
  bounded: {
    tokens: 'one for each asset on each network',
    cursors: 'one for each network, and for each account of Solana',
    read_blocks: 'the newest of each network',
    restored_sends: 'those of one restore',
    untold_fees: 'those that one restore took away',
  },
}

function fillSimulated(db: Database, rows: number) {
  const at = sends(rows).sqlAt()
  fill(db, 'simulated_balances', rows, { network, address, token: `''`, amount: `'1000000'` })
  fill(db, 'simulated_blocks', rows, { network: `'testnet'`, number: 'i', hash, parent_hash: hash, at })
  fill(db, 'simulated_nonces', rows, { network: `'testnet'`, address, nonce: '1' })
  fill(db, 'simulated_transactions', rows, {
    network: `'testnet'`,
    tx_hash: hash,
    block: 'i',
    from_address: busy('i'),
    to_address: address,
    amount: `'5'`,
  })
}

function fillSends(db: Database, rows: number) {
  const own = sends(rows)
  const at = own.sqlAt()
  const status = oftenAs({ confirmed: 980, failed: 15, broadcast: 5 })
  fill(db, 'sends', rows, {
    id: own.sqlId(),
    network,
    from_address: busy('i'),
    to_address: address,
    amount: `'1000000'`,
    decimals: '6',
    sender: busy('i'),
    status,
    tx_hash: hash,
    nonce: 'i',
    due_at: `(CASE ${status} WHEN 'broadcast' THEN ${at} END)`,
    failures: '0',
    is_untold: '0',
    created_at: at,
    updated_at: at,
  })
  fill(db, 'attempts', rows, {
    send_id: own.sqlId(),
    network,
    tx_hash: hash,
    nonce: 'i',
    unsigned: `'{}'`,
    signed: `'0x'`,
    signers: json([]),
    created_at: at,
  })
  fill(db, 'senders', rows, {
    id: `'testnet ' || ${address}`,
    network: `'testnet'`,
    address,
    next_nonce: '2',
    attempts: '0',
  })
  fill(db, 'transactions', rows, {
    id: series(5, rows).sqlId(),
    type: `'withdraw'`,
    transaction_id: `'order-' || i`,
    participant_id: institutions(rows).sqlId(institutions(rows).sqlOwner()),
    account_id: series(6, rows).sqlId(),
    network,
    currency: `'USDX'`,
    amount: `'1'`,
    decimals: '6',
    destination_address: address,
    status: `'ordered'`,
    created_at: at,
    updated_at: at,
    ledger_id: own.sqlId(),
    ledger_status: `'COMPLETED'`,
    attempts: '0',
  })
}

function fillTransfers(db: Database, rows: number) {
  const seen = transfers(rows)
  const at = seen.sqlAt()
  fill(db, 'cursors', 2, { network: `'net' || i`, account: `''`, block: '1', hash: `''` })
  fill(db, 'transfers', rows, {
    id: seen.sqlId(),
    network,
    tx_hash: hash,
    log_index: '0',
    status: oftenAs({ confirmed: 900, outgoing: 80, dust: 10, pending: 5, reversed: 1 }),
    account_id: series(6, rows).sqlId(),
    from_address: address,
    to_address: busy('i'),
    from_key: address,
    to_key: busy('i'),
    amount: `'1000000'`,
    decimals: '6',
    block: 'i',
    block_hash: hash,
    at,
    confirmed_at: at,
  })
  fill(db, 'watched_addresses', rows, {
    network: `'testnet'`,
    key: address,
    address,
    account_id: series(6, rows).sqlId(),
    watched_at: at,
    is_portfolio: sometimes(100, '1', '0'),
  })
  fill(db, 'movements', rows, {
    id: movements(rows).sqlId(),
    kind: oftenAs({ fee: 900, in: 50, out: 50 }),
    network,
    tx_hash: hash,
    place: `'fee'`,
    address: busy('i'),
    amount: `'21000'`,
    decimals: '18',
    order_id: sends(rows).sqlId(),
    block: 'i',
    confirmed_at: sometimes(995, at),
  })
}

function fillChanges(db: Database, rows: number) {
  const kinds = { send: sends(rows), deposit: transfers(rows), movement: movements(rows) }
  for (const [kind, records] of Object.entries(kinds)) {
    db.run(`INSERT INTO changes (kind, record_id) SELECT '${kind}', ${records.sqlId()} FROM ${numbers(rows)}`)
  }
}
