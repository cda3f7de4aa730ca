import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { silentLog } from '@bursar/contracts/log'
import type { SearchHit } from '@bursar/contracts/search'
import { eq } from '@bursar/store'
import { upsertOwner } from '../src/accounts/accounts'
import { addKeys, indexedUntil, indexing, indexNext } from '../src/movements/index-keys'
import { keyOf } from '../src/movements/key-of'
import { transactions } from '../src/movements/transactions.table'
import { sealJournal } from '../src/seals/seal-journal'
import { createWithdrawals } from '../src/withdrawals/create-withdrawal'
import { type Ledger, openLedger } from './harness'
import { type Bench, complete, depositOf, make, makeBench, outside, pay, screen, type Tx, withdrawalOf } from './steps'

const capitals = '0x742D35CC6634C0532925A3B844BC454E4438F44E'
const hash = '0xABCdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789'

let ledger: Ledger
let bench: Bench
let other: Bench
let deposit: Tx
let withdrawal: Tx
let paid: Tx
beforeAll(async () => {
  ledger = await openLedger()
  bench = await makeBench(ledger, '100')
  other = await makeBench(ledger, '100')
  deposit = await make(
    ledger,
    'deposit',
    depositOf(bench, '1', { txHash: hash, reference: 'Invoice 7', sourceAddress: 'S1' }),
  )
  withdrawal = await make(ledger, 'withdrawal', withdrawalOf(bench, '2', { reference: 'invoice 7' }))
  paid = await make(ledger, 'withdrawal', withdrawalOf(other, '3', { reference: 'Invoice 8' }))
  await screen(ledger, paid.id, true)
  await complete(ledger, paid.id, '0xfeed')
})
afterAll(() => ledger.close())

const list = async (query: string) => {
  const { status, body, headers } = await ledger.ask<Tx[]>('GET', `/transactions?${query}`)
  expect(status).toBe(200)
  return { ids: body.map(({ id }) => id), total: headers.get('x-total-count') }
}
const idsOf = async (query: string) => (await list(query)).ids

/** Indexes all that there is. */
async function index() {
  await sealJournal(ledger.deps)
  while ((await indexNext(ledger.store)) > 0);
}

// The same must hold for what the index does not have yet, and for what it has.
describe.each(['before they are indexed', 'once they are indexed'])('by their texts, %s', (when) => {
  beforeAll(async () => {
    if (when.startsWith('once')) await index()
  })

  test('a reference by exact match', async () => {
    expect(await idsOf('reference=Invoice 7')).toEqual([deposit.id])
    expect(await idsOf('reference=invoice 7')).toEqual([withdrawal.id])
    expect(await idsOf('reference=Invoice')).toEqual([])
  })

  test('a hash in any notation, of a deposit and of a withdrawal that has one by now', async () => {
    for (const text of [hash, hash.toLowerCase(), hash.slice(2), hash.toUpperCase()]) {
      expect(await idsOf(`txHash=${text}`)).toEqual([deposit.id])
    }
    expect(await idsOf('txHash=feed')).toEqual([paid.id])
  })

  test('an address in any case, of source and destination, newest first too', async () => {
    const all = await idsOf(`address=${outside}`)
    expect(all).toEqual(expect.arrayContaining([withdrawal.id, paid.id]))
    expect(all).not.toContain(deposit.id)
    expect(all).toEqual(all.toSorted())
    expect(await idsOf(`address=${capitals}`)).toEqual(all)
    expect(await idsOf(`address=${outside}&order=desc`)).toEqual(all.toReversed())
    expect(await idsOf('address=s1')).toEqual([deposit.id])
  })

  test('by any of the three', async () => {
    expect(await idsOf('q=Invoice 8')).toEqual([paid.id])
    expect(await idsOf(`q=${hash.slice(2)}`)).toEqual([deposit.id])
    expect(await idsOf(`q=${capitals}&type=WITHDRAWAL&order=desc`)).toEqual(
      (await idsOf(`address=${outside}&type=WITHDRAWAL`)).toReversed(),
    )
    expect(await idsOf('q=feed&reference=Invoice 8')).toEqual([paid.id])
    expect(await idsOf('q=feed&reference=Invoice 7')).toEqual([])
    expect(await list('q=feed&count=true')).toEqual({ ids: [paid.id], total: '1' })
  })

  test('in pages, with other filters, counted', async () => {
    const all = await idsOf(`address=${outside}`)
    expect(await idsOf(`address=${outside}&limit=1`)).toEqual(all.slice(0, 1))
    expect(await idsOf(`address=${outside}&limit=1&offset=1`)).toEqual(all.slice(1, 2))
    expect(await idsOf(`address=${outside}&after=${all[0]}`)).toEqual(all.slice(1))
    expect(await idsOf(`address=${outside}&order=desc&after=${all.at(-1)}`)).toEqual(all.toReversed().slice(1))
    expect(await idsOf(`address=${outside}&status=COMPLETED&type=WITHDRAWAL`)).toEqual([paid.id])
    expect(await idsOf(`address=${outside}&reference=Invoice 8`)).toEqual([paid.id])
    expect(await list(`address=${outside}&count=true&limit=1`)).toMatchObject({ total: String(all.length) })
    expect(await list('reference=Invoice 8&count=true')).toEqual({ ids: [paid.id], total: '1' })
    expect(await list('reference=none&count=true')).toEqual({ ids: [], total: '0' })
  })

  test('for other services: by id, its beginning, reference, hash, address', async () => {
    const search = async (q: string, extra = '') => {
      const path = `/internal/search?q=${encodeURIComponent(q)}${extra}`
      const { body } = await ledger.ask<SearchHit[]>('GET', path, undefined, await ledger.asService('gateway'))
      return body
    }
    const found = async (q: string, extra?: string) => (await search(q, extra)).map(({ id }) => id)
    expect(await search(deposit.id)).toEqual([
      {
        kind: 'transaction',
        id: deposit.id,
        title: expect.stringMatching(/^Deposit of 1 USD\d+$/),
        detail: '',
        status: 'PENDING',
        at: deposit.createdAt as string,
      },
    ])
    expect(await found(deposit.id.toUpperCase())).toEqual([deposit.id])
    expect(await found(deposit.id.slice(0, 8))).toContain(deposit.id)
    expect(await found(deposit.id.slice(0, 7))).toEqual([])
    expect((await search('Invoice 8')).map(({ id, detail }) => [id, detail])).toEqual([
      [paid.id, 'reference Invoice 8'],
    ])
    expect((await search(` ${hash.slice(2)} `)).map(({ id, detail }) => [id, detail.slice(0, 7)])).toEqual([
      [deposit.id, 'hash 0x'],
    ])
    expect((await found(capitals)).length).toBeGreaterThan(1)
    expect((await found(outside)).length).toBeLessThanOrEqual(5)
    expect(await found('nothing of the kind')).toEqual([])
  })
})

test('the search returns to a participant the transactions of its customers’ accounts', async () => {
  const own = await openLedger()
  const participantId = Bun.randomUUIDv7()
  const made = await makeBench(own, '100')
  const ofAnother = { ...made, accountId: (await own.account({ participantId: Bun.randomUUIDv7() })).id }
  await pay(own, ofAnother, '5')
  const { customerId } = made
  await own.store.commit((tx) => upsertOwner(tx, { customerId, participantId, epoch: 1, version: 1 }))
  const { body } = await own.ask<Tx>('POST', '/api/v1/core/transactions/withdrawal', {
    accountId: made.accountId,
    amount: '1',
    assetCode: (await own.ask<Tx[]>('GET', '/assets')).body.find(({ id }) => id === made.assetId)?.code,
    network: 'ethereum',
    participantId,
    destinationAddress: outside,
    reference: 'mine',
  })
  await make(own, 'withdrawal', withdrawalOf(ofAnother, '1', { reference: 'mine' }))
  const ask = async (participant: string) => {
    const path = `/internal/search?q=mine&participantId=${participant}`
    return (await own.ask<SearchHit[]>('GET', path, undefined, await own.asService('gateway'))).body.map(({ id }) => id)
  }
  expect(await ask(participantId)).toEqual([body.id])
  expect(await ask(Bun.randomUUIDv7())).toEqual([])
  await own.close()
})

test('a participant finds its transaction behind those of others whose ids begin alike', async () => {
  const own = await openLedger()
  const participantId = Bun.randomUUIDv7()
  const made = await makeBench(own, '100')
  const { id } = await make(own, 'withdrawal', withdrawalOf(made, '1'))
  const omnibus = await own.account({ customerId: null, type: 'OMNIBUS', participantId })
  const idOf = (n: number) => `aaaaaaaa-0000-7000-8000-00000000000${n}`
  await own.store.commit(async (tx) => {
    const [row] = await tx.select().from(transactions).where(eq(transactions.id, id))
    if (!row) throw new Error('no transaction')
    for (let n = 0; n < 8; n++) await tx.insert(transactions).values({ ...row, id: idOf(n) })
    await tx
      .update(transactions)
      .set({ accountId: omnibus.id })
      .where(eq(transactions.id, idOf(6)))
    await tx
      .update(transactions)
      .set({ toAccountId: omnibus.id })
      .where(eq(transactions.id, idOf(7)))
  })
  const ask = async (q: string, participant = '') => {
    const path = `/internal/search?q=${q}${participant && `&participantId=${participant}`}`
    return (await own.ask<SearchHit[]>('GET', path, undefined, await own.asService('gateway'))).body.map(({ id }) => id)
  }
  expect(await ask('AAAAAAAA')).toEqual([0, 1, 2, 3, 4].map(idOf))
  expect(await ask('AAAAAAAA', participantId)).toEqual([6, 7].map(idOf))
  expect(await ask(idOf(6), participantId)).toEqual([idOf(6)])
  expect(await ask(idOf(5), participantId)).toEqual([])
  expect(await ask('aaaaaaab', participantId)).toEqual([])
  await own.close()
})

test('a participant finds its transaction behind many others’ of the same reference', async () => {
  const own = await openLedger()
  const participantId = Bun.randomUUIDv7()
  const made = await makeBench(own, '1000')
  const omnibus = await own.account({ customerId: null, type: 'OMNIBUS', participantId })
  await pay(own, { ...made, accountId: omnibus.id }, '1')
  const { id } = await make(
    own,
    'withdrawal',
    withdrawalOf({ ...made, accountId: omnibus.id }, '1', { reference: 'Rent' }),
  )
  const others = Array.from({ length: 150 }, () => ({ input: withdrawalOf(made, '1', { reference: 'Rent' }) }))
  await own.store.commit((tx) => createWithdrawals(tx, others, new Date()))
  const found = async () => {
    const path = `/internal/search?q=Rent&participantId=${participantId}`
    return (await own.ask<SearchHit[]>('GET', path, undefined, await own.asService('gateway'))).body.map(
      (hit) => hit.id,
    )
  }
  expect(await found()).toEqual([id])
  while ((await indexNext(own.store)) > 0);
  expect(await found()).toEqual([id])
  await own.close()
})

test('a payment is found however far behind the index is, and is one', async () => {
  const own = await openLedger()
  const made = await makeBench(own, '10000')
  const first = await make(own, 'withdrawal', withdrawalOf(made, '1', { reference: 'First' }))
  while ((await indexNext(own.store)) > 0);
  const late = await make(own, 'withdrawal', withdrawalOf(made, '1', { reference: 'Late' }))
  const others = Array.from({ length: 2050 }, () => ({ input: withdrawalOf(made, '1', { reference: 'Other' }) }))
  await own.store.commit((tx) => createWithdrawals(tx, others, new Date()))
  const found = async (query: string) => {
    const { body, headers } = await own.ask<Tx[]>('GET', `/transactions?${query}&count=true&limit=3`)
    return [body.map(({ id }) => id), headers.get('x-total-count')]
  }
  expect(await found('reference=Late')).toEqual([[late.id], '1'])
  // It has an entry in two parts of what is not indexed.
  await screen(own, late.id, true)
  await complete(own, late.id, '0xfeed')
  expect(await found('reference=Late')).toEqual([[late.id], '1'])
  expect(await found('txHash=0xfeed')).toEqual([[late.id], '1'])
  expect(await found('reference=First')).toEqual([[first.id], '1'])
  expect(await found('reference=Other')).toEqual([expect.any(Array), '2050'])
  expect(await found(`address=${outside}`)).toEqual([[expect.any(String), first.id, late.id], '2053'])
  await own.close()
})

test('the search is for services alone', async () => {
  expect((await ledger.ask('GET', '/internal/search?q=x')).status).toBe(401)
  const user = await ledger.as({ kind: 'user', subject: 'anna' })
  expect((await ledger.ask('GET', '/internal/search?q=x', undefined, user)).status).toBe(401)
})

test('a hash without an entry is found at once; texts of the same key are distinguished', async () => {
  await index()
  const made = await make(ledger, 'withdrawal', withdrawalOf(bench, '1'))
  await ledger.store.commit(async (tx) => {
    await tx.update(transactions).set({ txHash: '0xbeef' }).where(eq(transactions.id, made.id))
    await addKeys(tx, [{ transactionId: made.id, text: '0xbeef' }])
    // As if another text had this key as well.
    await addKeys(tx, [{ transactionId: deposit.id, text: '0xbeef' }])
  })
  // Its first entry is not indexed yet: it is found both ways, and is one.
  expect(await list('txHash=0xbeef&count=true')).toEqual({ ids: [made.id], total: '1' })
  await index()
  expect(await idsOf('txHash=0xBEEF')).toEqual([made.id])
})

test('the index continues where it stopped, and a repeat makes no difference', async () => {
  await index()
  const before = await indexedUntil(ledger.store.read)
  await make(ledger, 'deposit', depositOf(bench, '1', { reference: 'later' }))
  expect(await indexNext(ledger.store)).toBe(1)
  expect([await indexedUntil(ledger.store.read), await indexNext(ledger.store)]).toEqual([before + 1, 0])
  expect(await idsOf('reference=later')).toHaveLength(1)
})

test('a stop of the index does not wait for its rest', async () => {
  const own = await openLedger()
  const made = await makeBench(own, '1000')
  const many = Array.from({ length: 150 }, () => ({ input: withdrawalOf(made, '1') }))
  await own.store.commit((tx) => createWithdrawals(tx, many, new Date()))
  const rests = Promise.withResolvers<number>()
  const index = indexing({
    store: own.store,
    log: silentLog,
    pause: (ms) => {
      rests.resolve(ms)
      return new Promise(() => {})
    },
  })
  void index.runNow()
  expect(await rests.promise).toBeGreaterThan(0)
  await index.stop()
  expect(index.idle?.()).toBe(true)
  await own.close()
})

test('a key ignores case and 0x, and is a number of 48 bits', () => {
  expect([keyOf(' 0xAB '), keyOf('ab')]).toEqual([keyOf('0xab'), keyOf('0xab')])
  expect(keyOf('ab')).not.toBe(keyOf('abc'))
  expect(Number.isSafeInteger(keyOf('any')) && keyOf('any') < 2 ** 48).toBe(true)
})
