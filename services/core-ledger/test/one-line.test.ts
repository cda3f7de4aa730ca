// What people write beside a movement is one line: in tables and exports it makes no row of its own.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Ledger, openLedger } from './harness'
import { type Bench, depositOf, makeBench, withdrawalOf } from './steps'

let ledger: Ledger
let bench: Bench
beforeAll(async () => {
  ledger = await openLedger()
  bench = await makeBench(ledger)
})
afterAll(() => ledger?.close())

const forms: [string, (reference: string | null) => object][] = [
  ['/transactions/deposit', (reference) => depositOf(bench, '1', { reference })],
  ['/transactions/withdrawal', (reference) => withdrawalOf(bench, '1', { reference })],
  [
    '/transactions/transfer',
    (reference) => ({
      fromAccountId: bench.accountId,
      toAccountId: bench.accountId,
      assetId: bench.assetId,
      amount: '1',
      reference,
    }),
  ],
  [
    '/api/v1/core/transactions/withdrawal',
    (reference) => ({ ...withdrawalOf(bench), assetCode: 'USD1', participantId: bench.customerId, reference }),
  ],
]

test.each(forms)('%s takes no reference with a line break or another control character', async (path, body) => {
  for (const reference of ['Invoice 204\n=1+1', 'a\rb', 'a\u2028b', 'a\u0000', 'a\tb']) {
    const answer = await ledger.ask('POST', path, body(reference))
    expect([reference, answer.status, [answer.body.message].flat().join()]).toEqual([
      reference,
      400,
      expect.stringContaining('reference must not hold control characters'),
    ])
  }
})

test('and takes one line, an empty one and none', async () => {
  for (const reference of ['Invoice 204 – März', '', null]) {
    const answer = await ledger.ask('POST', '/transactions/withdrawal', withdrawalOf(bench, '1', { reference }))
    expect([reference, answer.status]).toEqual([reference, 201])
  }
})

test.each(['code', 'name'])('an asset’s %s is one line', async (field) => {
  const asset = { code: 'ONE', name: 'One', decimalPlaces: 2, address: 'native', network: 'onenet' }
  const answer = await ledger.ask('POST', '/assets', { ...asset, [field]: 'A\n=1+1' })
  expect([answer.status, [answer.body.message].flat()]).toEqual([400, [`${field} must not hold control characters`]])
})
