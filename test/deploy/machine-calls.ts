// What callers do on the machine of machine.test.ts, in its network: `payment <password>`, or `figures`. A person logs in at the
// gateway, which asks for a second factor before more, in production; programs of the machine pay.

import { setTimeout } from 'node:timers/promises'
import { type ServiceName, services } from '@bursar/contracts/services'

const urlOf = (name: ServiceName) => `http://127.0.0.1:${services[name].port}`

async function ask<T = Record<string, unknown>>(name: ServiceName, path: string, body?: unknown): Promise<T> {
  const method = body === undefined ? 'GET' : 'POST'
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(urlOf(name) + path, { method, headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${method} ${name} ${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}

async function until<T>(read: () => Promise<T | undefined | false>): Promise<T> {
  for (let i = 0; i < 240; i++) {
    const found = await read()
    if (found) return found
    await setTimeout(250)
  }
  throw new Error('It takes too long')
}

interface Transaction {
  id: string
  status: string
}

async function pay(password: string): Promise<string> {
  await ask('gateway', '/identity/v1/auth/login', { email: 'admin@localhost', password })
  const network = 'ethereum'
  const customer = await ask('customer', '/v1/customers', { externalId: `c-${Date.now()}`, status: 'active' })
  const account = await ask('account', '/v1/accounts', {
    type: 'STABLECOINS',
    status: 'active',
    name: 'Main',
    customerId: customer.id,
  })
  const ether = { code: 'ETH', name: 'Ether', decimalPlaces: 18, address: 'native', network }
  const [known] = await ask<Transaction[]>('core-ledger', '/v1/assets')
  const asset = known ?? (await ask<Transaction>('core-ledger', '/v1/assets', ether))
  const wallet = `/v1/wallets/account/${account.id}/network/${network}?createIfNotExists=true`
  const { address } = await ask('wallet', wallet)
  await ask('blockchain', `/v1/simulated/${network}/deposits`, { address, asset: 'ETH', amount: '1.5' })
  const transactions = (type: string) =>
    ask<Transaction[]>('core-ledger', `/v1/transactions?accountId=${account.id}&type=${type}`)
  const screened = async (id: string) =>
    await ask('core-ledger', '/v1/transactions/complete-screening', { id, isApproved: true })
  const completed = (type: string) => until(async () => (await transactions(type))[0]?.status === 'COMPLETED')
  const deposit = await until(async () => (await transactions('DEPOSIT'))[0])
  await screened(deposit.id)
  await completed('DEPOSIT')
  const withdrawal = await ask<Transaction>('core-ledger', '/v1/transactions/withdrawal', {
    accountId: account.id,
    network,
    assetId: asset.id,
    amount: '0.5',
    destinationAddress: '0x742d35cc6634c0532925a3b844bc454e4438f44e',
  })
  await screened(withdrawal.id)
  await completed('WITHDRAWAL')
  const balances = await ask('core-ledger', `/v1/balances/account/${account.id}`)
  return `${(await transactions('WITHDRAWAL'))[0]?.status} ${JSON.stringify(balances)}`
}

const [what, password = ''] = process.argv.slice(2)
const said = what === 'payment' ? await pay(password) : await (await fetch(`${urlOf('gateway')}/metrics/all`)).text()
process.stdout.write(`${said}\n`)
