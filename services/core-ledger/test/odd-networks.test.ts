import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Ledger, openLedger } from './harness'
import { balanceOf, depositOf, make, makeAsset, pay, withdrawalOf } from './steps'

// Names that objects inherit: what callers name is looked up in Maps.
const names = ['constructor', 'toString', 'hasOwnProperty', '__proto__', 'valueOf']

let ledger: Ledger
beforeAll(async () => {
  ledger = await openLedger()
})
afterAll(() => ledger.close())

test.each(names)('the network %s fails nowhere', async (network) => {
  const accountId = (await ledger.account()).id
  const bench = { assetId: await makeAsset(ledger), accountId, customerId: '' }
  const coin = { code: `C-${network}`, name: 'A coin', decimalPlaces: 6, address: 'native', network }
  const gateway = '/api/v1/core'
  const range = 'from=2026-01-01&to=2026-01-02'
  const asked: [string, string, object?][] = [
    ['POST', '/assets', coin],
    ['PATCH', `/assets/${bench.assetId}`, { blockchain: network }],
    ['POST', '/transactions/withdrawal', withdrawalOf(bench, '1', { network })],
    ['POST', '/transactions/deposit', depositOf(bench, '1', { network })],
    [
      'POST',
      `${gateway}/transactions/withdrawal`,
      { ...withdrawalOf(bench, '1', { network }), assetCode: network, participantId: 'p' },
    ],
    ['GET', `/transactions?network=${network}&type=${network}&status=${network}`],
    ['GET', `/transactions?network=${network}`],
    ['GET', `${gateway}/transactions?status=${network}&accountType=${network}`],
    ['GET', `/balances/account/${accountId}?filter[assetCode]=${network}`],
    ['GET', `${gateway}/overview/digital-assets/portfolio/networks/${network}?${range}`],
  ]
  for (const [method, path, body] of asked) {
    const { status } = await ledger.ask(method, path, body)
    expect([path, status < 500]).toEqual([path, true])
  }
})

test('an asset of such a network is paid in and out as any other', async () => {
  const network = 'constructor'
  const assetId = await makeAsset(ledger, { network })
  const bench = { assetId, ...(await ledger.account().then(({ id, customerId }) => ({ accountId: id, customerId }))) }
  const of = { network, sourceAddress: 'somewhere', destinationAddress: 'elsewhere' }
  await expect(pay(ledger, bench, '3')).rejects.toThrow('network must be constructor')
  await make(ledger, 'deposit', depositOf(bench, '3', of))
  const { status, body } = await ledger.ask('POST', '/transactions/withdrawal', withdrawalOf(bench, '1', of))
  expect([status, body.message]).toEqual([400, expect.stringMatching(/^Insufficient balance/)])
  expect(await balanceOf(ledger, bench)).toEqual([])
})
