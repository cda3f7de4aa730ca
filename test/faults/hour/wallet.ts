import type { WalletWithdrawal } from '@bursar/contracts/wallet'
import { type LocalServer, localServer } from '@bursar/testing'
import { type FakeWallet, fakeWallet, type Step } from '../../../services/core-ledger/test/execution-wallet'
import type { Random } from './random'

/**
 * A wallet that honours its contract about money (one record per id, nothing that failed is paid) and whose answers lie:
 * refusals that record nothing, errors and garbage after recording, silence, answers about another withdrawal, orders
 * that act after the caller has gone, and orders that the network delivers again a minute later.
 */
export interface LyingWallet {
  url: string
  fake: FakeWallet
  counts: Record<string, number>
  /** Gives a withdrawal its fate, before it is approved. */
  decide(id: string): void
  /** From now on pays everything that is under way, and tells the truth. */
  calm(): Promise<void>
  stop(): Promise<void>
}

/** Longer than the ledger waits for an answer. */
const slowMs = 6500

export function lyingWallet(random: Random): LyingWallet {
  const fake = fakeWallet()
  const counts: Record<string, number> = {}
  const late = new Set<Promise<unknown>>()
  const decided: string[] = []
  let isCalm = false
  let lastAnswer = ''

  const note = (what: string) => {
    counts[what] = (counts[what] ?? 0) + 1
  }
  const forward = (method: string, path: string, body: string): Promise<Response> =>
    fetch(`${fake.server.url}${path}`, {
      method,
      ...(body === '' ? {} : { body }),
      headers: { 'content-type': 'application/json' },
      signal: AbortSignal.timeout(10_000),
    })
  function later(ms: number, work: () => Promise<unknown>) {
    const done = Bun.sleep(ms)
      .then(work)
      .catch(() => {})
    late.add(done)
    void done.then(() => late.delete(done))
  }
  const server: LocalServer = localServer(async (request) => {
    const { pathname: path } = new URL(request.url)
    const body = await request.text()
    const isOrder = request.method === 'POST' && path === '/internal/withdrawals'
    if (!path.startsWith('/internal/withdrawals')) return new Response('{}', { status: 404 })
    note(isOrder ? 'orders' : path.endsWith('/refuse') ? 'refusals asked' : 'records asked')
    if (isOrder && !isCalm) {
      if (random.chance(0.03)) {
        note('late repeats of an order')
        later(random.between(10_000, 45_000), () => forward('POST', path, body))
      }
      if (random.chance(0.01)) {
        note('orders that acted after the caller had gone')
        await Bun.sleep(slowMs)
      }
    }
    if (!isCalm && lastAnswer !== '' && random.chance(0.01)) {
      note('answers about another withdrawal')
      await forward(request.method, path, body)
      return new Response(lastAnswer, { headers: { 'content-type': 'application/json' } })
    }
    const answer = await forward(request.method, path, body)
    const text = await answer.text()
    if (answer.ok && text.startsWith('{')) lastAnswer = text
    return new Response(text, { status: answer.status, headers: { 'content-type': 'application/json' } })
  })

  const lies: readonly Step[] = ['refused', 'refused', 'refused', 'down', 'lost', 'garbage', 'accepted', 'broadcast']
  return {
    url: server.url,
    fake,
    counts,
    decide(id) {
      if (isCalm || random.chance(0.5)) return
      const steps: Step[] = []
      while (steps.length < 6 && random.chance(0.7)) steps.push(random.pick(lies))
      if (random.chance(0.02)) steps.push('silent')
      steps.push(random.chance(0.15) ? 'failed' : 'confirmed')
      decided.push(id)
      for (const step of steps) note(`scripted ${step}`)
      fake.script(id, ...steps)
    },
    async calm() {
      isCalm = true
      fake.otherwise('confirmed')
      for (const id of decided) fake.script(id, 'confirmed')
      // Orders that are still on their way arrive, and act or not.
      await Promise.all(late)
    },
    async stop() {
      await server.stop()
      await fake.server.stop()
    },
  }
}

/** What was paid: by id, with the order that it was paid by. Throws when one id came with two different orders. */
export function paidBy({ started, records }: FakeWallet): Map<string, WalletWithdrawal> {
  const orders = new Map<string, WalletWithdrawal>()
  for (const order of started) {
    const known = orders.get(order.id)
    if (known && !Bun.deepEquals(known, order)) throw new Error(`Withdrawal ${order.id} was ordered in two ways`)
    orders.set(order.id, order)
  }
  const paid = new Map<string, WalletWithdrawal>()
  for (const { id, status } of records.values()) {
    const order = orders.get(id)
    if (status === 'confirmed' && order) paid.set(id, order)
    if (status === 'confirmed' && !order) throw new Error(`Withdrawal ${id} was paid without an order`)
  }
  return paid
}
