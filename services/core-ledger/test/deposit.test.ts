import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Ledger, openLedger } from './harness'
import {
  balanceOf,
  complete,
  depositOf,
  getTransaction,
  make,
  makeAsset,
  makeBench,
  outside,
  screen,
  type Tx,
} from './steps'

let ledger: Ledger
beforeAll(async () => {
  ledger = await openLedger()
})
afterAll(() => ledger.close())

const deposit = (body: object) => ledger.ask<Tx>('POST', '/transactions/deposit', body)

describe('POST /transactions/deposit', () => {
  test('201, PENDING, and in none of the balances until it is completed', async () => {
    const bench = await makeBench(ledger, '0')
    const { status, body } = await deposit(depositOf(bench, '7.5', { txHash: '0xABC', reference: 'r' }))
    expect(status).toBe(201)
    expect(body).toMatchObject({
      type: 'DEPOSIT',
      status: 'PENDING',
      amount: '7.5',
      txHash: '0xabc',
      reference: 'r',
      destinationAddress: null,
      customerId: bench.customerId,
    })
    expect(await balanceOf(ledger, bench)).toEqual([])
    expect((await screen(ledger, body.id, true)).body).toEqual({ enqueued: true })
    expect(await balanceOf(ledger, bench)).toEqual([])
    expect(await complete(ledger, body.id)).toBe('done')
    expect(await complete(ledger, body.id)).toBe('repeated')
    expect(await balanceOf(ledger, bench)).toEqual(['7.5', '0', '7.5'])
  })

  test('200 with the first record for the same on-chain transfer again', async () => {
    const bench = await makeBench(ledger, '0')
    const body = depositOf(bench, '1', { txHash: '0xfeed' })
    const first = await deposit(body)
    const again = await deposit({ ...body, txHash: '0xFEED' })
    expect([first.status, again.status]).toEqual([201, 200])
    expect(again.body).toEqual(first.body)
    const other = await deposit({ ...body, logIndex: 1 })
    expect(other.status).toBe(201)
    expect(other.body.id).not.toBe(first.body.id)
  })

  test('a hexadecimal hash is the same in either case, with 0x or without', async () => {
    const bench = await makeBench(ledger, '0')
    const [hash, second, third] = ['AB'.repeat(32), 'BC'.repeat(32), 'CD'.repeat(32)]
    for (const [one, other, again] of [
      [hash, hash.toLowerCase(), 200],
      [`0X${second}`, `0x${second}`, 200],
      [third, `0x${third}`, 200],
      ['5Sig'.repeat(22), '5sig'.repeat(22), 201],
    ] as const) {
      expect((await deposit(depositOf(bench, '1', { txHash: one }))).status).toBe(201)
      expect((await deposit(depositOf(bench, '1', { txHash: other }))).status).toBe(again)
    }
  })

  test.each([' 0xab', '0xab ', '0x\u00e4', 'a\u0000b'])('400 for the hash %j', async (txHash) => {
    const { status, body } = await deposit(depositOf(await makeBench(ledger, '0'), '1', { txHash }))
    expect([status, body.message]).toEqual([400, ['txHash must have visible characters only, and no spaces'] as never])
  })

  test('concurrent copies create one', async () => {
    const bench = await makeBench(ledger, '0')
    const body = depositOf(bench, '1')
    const all = await Promise.all(Array.from({ length: 20 }, () => deposit(body)))
    expect(all.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201])
    expect(new Set(all.map((answer) => answer.body.id)).size).toBe(1)
  })

  test('409 for the same on-chain transfer with different contents', async () => {
    const bench = await makeBench(ledger, '0')
    const body = depositOf(bench, '1')
    await deposit(body)
    const others = [
      { amount: '2' },
      { assetId: await makeAsset(ledger) },
      { accountId: (await ledger.account()).id },
      { sourceAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
    ]
    for (const other of others) {
      const { status, body: refused } = await deposit({ ...body, ...other })
      expect([status, refused.message]).toEqual([409, expect.stringMatching(/is recorded as transaction/)])
    }
    expect((await deposit({ ...body, sourceAddress: outside.toUpperCase().replace('X', 'x') })).status).toBe(200)
  })

  test('one on-chain transfer is one deposit, with 0x and without, under every name of its network', async () => {
    const digits = crypto.randomUUID().replaceAll('-', '').repeat(2)
    const assets = await Promise.all(
      ['ethereum', 'Ethereum', 'ethereum '].map((network) => makeAsset(ledger, { network })),
    )
    const { id: accountId } = await ledger.account()
    const bench = { accountId, customerId: '', assetId: assets[0] ?? '' }
    const body = depositOf(bench, '1', { txHash: digits })
    expect((await deposit(body)).body).toMatchObject({ txHash: `0x${digits}`, network: 'ethereum' })
    for (const same of [
      { txHash: `0x${digits}` },
      { txHash: `0X${digits.toUpperCase()}` },
      { network: ' Ethereum ' },
    ]) {
      expect((await deposit({ ...body, ...same })).status).toBe(200)
    }
    for (const assetId of assets.slice(1)) expect((await deposit({ ...body, assetId })).status).toBe(409)
  })

  test('is accepted for an inactive account, and stays in suspense', async () => {
    const bench = await makeBench(ledger, '0')
    const { id: accountId } = await ledger.account({ status: 'suspended' })
    const made = await make(ledger, 'deposit', depositOf({ ...bench, accountId }, '1'))
    await screen(ledger, made.id, true)
    expect(await complete(ledger, made.id)).toBe('held')
    expect((await getTransaction(ledger, made.id)).status).toBe('APPROVED')
    expect(await balanceOf(ledger, { ...bench, accountId })).toEqual([])
  })

  test('400 names all missing fields', async () => {
    const { status, body } = await deposit({})
    expect(status).toBe(400)
    expect(body.message).toEqual(
      ['accountId', 'network', 'assetId', 'amount', 'sourceAddress', 'txHash'].map(
        (field) => `${field} should not be empty`,
      ),
    )
  })

  test('400 for a bad amount, log index or network', async () => {
    const bench = await makeBench(ledger, '0')
    expect((await deposit(depositOf(bench, '0'))).body.message).toBe('amount must be greater than 0')
    expect((await deposit(depositOf(bench, '1', { logIndex: -1 }))).status).toBe(400)
    expect((await deposit(depositOf(bench, '1', { network: 'solana' }))).status).toBe(400)
  })

  test('404 for an unknown asset', async () => {
    const bench = await makeBench(ledger, '0')
    const assetId = '00000000-0000-7000-8000-000000000000'
    expect((await deposit(depositOf({ ...bench, assetId }))).status).toBe(404)
  })
})
