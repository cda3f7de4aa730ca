import { fill, json, oftenAs, series, sometimes } from '../fill'
import { institutions } from '../institutions'
import { makeDatabase, type Seed } from '../seed'

const accounts = (rows: number) => series(2, rows)
const walletAccounts = (rows: number) => series(3, rows)
const wallets = (rows: number) => series(4, rows)
const orders = (rows: number) => series(5, rows)
const network = oftenAs({ testnet: 900, othernet: 100 })

/** The wallet service: a wallet of each account; nearly all orders are confirmed. */
export const wallet: Seed = {
  make: (folder, rows) =>
    makeDatabase('wallet', folder, (db) => {
      const [owners, own, all] = [institutions(rows), wallets(rows), orders(rows)]
      const at = own.sqlAt()
      const status = oftenAs({ confirmed: 980, failed: 15, accepted: 5 })
      const address = `printf('0x%040x', i)`
      fill(db, 'accounts', rows, {
        id: accounts(rows).sqlId(),
        participant_id: `(CASE WHEN i < 1000 THEN ${owners.sqlId(`i / 2 % ${owners.count}`)} END)`,
        wallet_account_id: walletAccounts(rows).sqlId(),
        type: oftenAs({ STABLECOINS: 900, PORTFOLIO: 100 }),
        status: `'active'`,
        epoch: '1',
        version: 'i + 1',
      })
      fill(db, 'wallet_accounts', rows, {
        id: walletAccounts(rows).sqlId(),
        account_id: accounts(rows).sqlId(),
        created_at: at,
      })
      fill(db, 'wallets', rows, {
        id: own.sqlId(),
        account_id: accounts(rows).sqlId(),
        wallet_account_id: walletAccounts(rows).sqlId(),
        network,
        address,
        watched_at: sometimes(990, at),
        created_at: at,
      })
      fill(db, 'orders', rows, {
        id: all.sqlId(),
        kind: oftenAs({ withdrawal: 990, execution: 10 }),
        account_id: accounts(rows).sqlId(accounts(rows).sqlOwner()),
        network,
        asset_code: `'USDX'`,
        amount: `'1000000'`,
        decimals: '6',
        destination: address,
        status,
        tx_hash: `printf('0x%064x', i)`,
        payer: `'0x0'`,
        chain: json({ kind: 'simulated', chainId: null }),
        signed_at: at,
        handed_at: at,
        due_at: `(CASE ${status} WHEN 'accepted' THEN ${at} END)`,
        attempts: '0',
        created_at: at,
        updated_at: at,
        waits_for: `(CASE ${status} WHEN 'accepted' THEN 'The core ledger is away' END)`,
        lost_at: `(CASE WHEN i < 20 THEN ${at} END)`,
      })
      fill(db, 'signatures', rows, {
        order_id: all.sqlId(),
        number: '1',
        network,
        sender: `'0x0'`,
        nonce: 'i',
        tx_hash: `printf('0x%064x', i)`,
        signed_at: at,
      })
      fill(db, 'token_accounts', rows, {
        id: series(6, rows).sqlId(),
        account_id: accounts(rows).sqlId(),
        wallet_id: own.sqlId(),
        network,
        token: `'usdx'`,
        asset_code: `'USDX'`,
        address,
        created_at: at,
      })
      fill(db, 'changes', rows, { kind: `'withdrawal'`, record_id: all.sqlId() })
    }),
  values: (rows) => {
    const last = rows - 1
    return {
      accountId: [accounts(rows).id(0), accounts(rows).id(last)],
      walletAccountId: [walletAccounts(rows).id(last)],
      network: ['testnet', 'othernet'],
      'GET /wallets/account/{accountId}/network/{network} network': ['testnet'],
      'GET /wallets/account/{accountId}/network/{network} accountId': [accounts(rows).id(1), accounts(rows).id(2)],
      address: [`0x${last.toString(16).padStart(40, '0')}`],
      transactionId: [orders(rows).id(last)],
      id: [orders(rows).id(last)],
      'GET /wallets/{id}/token-account id': [wallets(rows).id(last)],
      assetCode: ['USDX'],
      q: [`0x${last.toString(16).padStart(40, '0')}`, wallets(rows).id(last)],
      participantId: [institutions(rows).id(0)],
      'GET /internal/withdrawals/changes after': [String(rows - 200)],
    }
  },
  plans: {
    'from "wallets" where "wallets"."account_id"': 'an account has one wallet on each network',
    'from "wallets" where ("wallets"."account_id"': 'an account has one wallet on each network',
  },
  bounded: {
    seeds: 'one',
    restore_hold: 'one row',
    released_orders: 'those that an operator has released after a restore, by hand',
  },
  apart: {
    'GET /internal/holdings/{network}':
      'asks the chain for each address; a page is read along an index, like that of GET /wallets',
    'GET /wallets/fees': 'asks the blockchain service; reads no table',
    'GET /wallets/{id}/token-account': 'asks the ledger and the chain; reads one row by its unique index',
  },
  caller: (service, url) => {
    if (url === '/internal/held-orders') return service.asService('wallet')
    return url === '/wallets' ? service.asParticipant(institutions(1_000_000).id(0)) : undefined
  },
}
