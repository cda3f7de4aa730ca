// Random orders, refusals, crashes, lost answers and moves of the chain, held against a model of what must hold.
import { expect, test } from 'bun:test'
import type { SendState } from '@bursar/contracts/blockchain'
import { WithdrawalChanged, type WithdrawalState } from '@bursar/contracts/wallet'
import fc from 'fast-check'
import { type TestWallets, testWallets } from './harness'
import { fundedAccount, moveSend, order, start, state, txHash } from './orders'
import { type Peers, startPeers } from './peers'

const slots = 3
/** Something that happens to one of the ids. */
type SlotStep =
  | { do: 'start'; slot: number; amount: number }
  | { do: 'refuse'; slot: number; amount: number }
  | { do: 'sign'; slot: number; amount: number }
  | { do: 'forget'; slot: number; amount: number }
  | { do: 'move'; slot: number; to: SendState['status']; event: boolean }
type Step =
  | SlotStep
  | { do: 'drive'; minutes: number; lost: boolean }
  | { do: 'restart' }
  | { do: 'away' }
  | { do: 'back' }

const slot = fc.nat({ max: slots - 1 })
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('start', 'refuse', 'sign', 'forget'),
      slot,
      amount: fc.integer({ min: 1, max: 9 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('move' as const),
      slot,
      to: fc.constantFrom<SendState['status'][]>('accepted', 'broadcast', 'confirmed', 'failed'),
      event: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('drive' as const), minutes: fc.nat({ max: 2 }), lost: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('restart', 'away', 'back') }) },
)

/** What is known of an id from outside. */
interface Known {
  id: string
  /** How its first order or refusal left it. */
  first: 'refused' | number | null
  seen: WithdrawalState | null
  signed: boolean
  /** How often the blockchain service began it anew after it was signed. */
  begunAfterSigning: number
}

const rank = { accepted: 0, broadcast: 1, confirmed: 2, failed: 2 }

async function run(steps: readonly Step[]) {
  const peers = startPeers()
  let service = await testWallets(peers)
  const { accountId } = await fundedAccount(service, peers, 10n ** 24n)
  const known: Known[] = Array.from({ length: slots }, () => ({
    id: Bun.randomUUIDv7(),
    first: null,
    seen: null,
    signed: false,
    begunAfterSigning: 0,
  }))
  let aheadMs = 0
  for (const each of steps) {
    if (each.do === 'restart') {
      await service.close()
      service = await testWallets(peers, { dataDir: service.dataDir })
    } else if (each.do === 'away') peers.away.add('blockchain')
    else if (each.do === 'back') peers.away.delete('blockchain')
    else if (each.do === 'drive')
      aheadMs = await drive(service, peers, known, aheadMs + each.minutes * 60_000, each.lost)
    else await act(service, peers, known[each.slot] as Known, accountId, each)
    for (const record of known) await check(service, peers, record)
  }
  await checkTold(service, known)
  await service.close()
  await peers.server.stop()
}

async function drive(service: TestWallets, peers: Peers, known: Known[], aheadMs: number, lost: boolean) {
  const before = new Set(peers.sends.keys())
  if (lost) {
    peers.fault((request, usual) =>
      request.url.endsWith('/internal/sends') ? usual().then(() => new Response('', { status: 502 })) : undefined,
    )
  }
  await service.drive(aheadMs)
  peers.fault(null)
  for (const record of known)
    if (record.signed && !before.has(record.id) && peers.sends.has(record.id)) record.begunAfterSigning += 1
  return aheadMs
}

async function act(
  service: TestWallets,
  peers: Peers,
  record: Known,
  accountId: string,
  step: SlotStep,
): Promise<void> {
  const { id } = record
  if (step.do === 'start') {
    await start(service, order({ id, accountId, amount: String(step.amount) }))
    record.first ??= step.amount
  } else if (step.do === 'refuse') {
    const { body } = await service.post(`/internal/withdrawals/${id}/refuse`, { reason: 'refused' }, service.ledger)
    if (body.reason === 'refused' && record.signed) throw new Error('refused after it was signed')
    if (body.reason === 'refused') record.first = 'refused'
  } else if (step.do === 'sign') await sign(service, peers, record)
  else if (step.do === 'forget') peers.sends.delete(id)
  else if (peers.sends.has(id)) {
    const hash = step.to === 'broadcast' || step.to === 'confirmed' ? txHash(7) : null
    await moveSend(
      service,
      peers,
      { id, status: step.to, txHash: hash, reason: step.to === 'failed' ? 'reverted' : null },
      step,
    )
  }
}

async function sign(service: TestWallets, peers: Peers, record: Known): Promise<void> {
  const sent = peers.sends.get(record.id)?.order
  if (!sent) return
  const { id: orderId, network, from, to, contractAddress, amount } = sent
  const unsigned = JSON.stringify({ orderId, network, from, to, contractAddress, amount })
  const body = { orderId, network, signers: [from], unsigned }
  const { status } = await service.post('/internal/sign-transaction', body, service.chain)
  const isEnded = record.seen?.status === 'confirmed' || record.seen?.status === 'failed'
  expect(status).toBe(isEnded ? 422 : 200)
  if (status === 200) record.signed = true
}

async function check(service: TestWallets, peers: Peers, record: Known): Promise<void> {
  const { id, first, seen } = record
  const answer = await service.get(`/internal/withdrawals/${id}`, service.ledger)
  expect(answer.status).toBe(first === null ? 404 : 200)
  if (first === null) return expect(peers.sends.has(id)).toBe(false)
  const now = answer.body as WithdrawalState
  if (first === 'refused') {
    expect(now).toEqual({ id, status: 'failed', txHash: null, reason: 'refused' })
    expect(record.signed).toBe(false)
  } else {
    const sent = peers.sends.get(id)?.order.amount
    expect([undefined, `${first}${'0'.repeat(18)}`]).toContain(sent)
  }
  if (seen) {
    expect(rank[now.status]).toBeGreaterThanOrEqual(rank[seen.status])
    if (rank[seen.status] === 2) expect(now).toEqual(seen)
  }
  expect(now.status === 'confirmed' || now.status === 'broadcast' ? now.txHash : 'x').not.toBeNull()
  expect(record.begunAfterSigning).toBe(0)
  record.seen = now
}

/** What the event and the list of changes said last of each id is what its record says. */
async function checkTold(service: TestWallets, known: Known[]): Promise<void> {
  const { items } = (await service.get('/internal/withdrawals/changes', service.ledger)).body
  const events = await service.eventsNamed(WithdrawalChanged.name)
  for (const { id, first, seen } of known) {
    const listed = items.filter(({ record }: { record: WithdrawalState }) => record.id === id)
    expect(listed.map(({ record }: { record: WithdrawalState }) => record)).toEqual(first === null ? [] : [seen])
    const last = events
      .map(({ data }) => data as WithdrawalState & { version: number })
      .filter((data) => data.id === id)
      .at(-1)
    if (last) expect(last).toMatchObject({ ...(await state(service, id)), version: listed[0].version })
  }
}

test('in any sequence of events, an id is paid at most once, ends once, and is reported correctly', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step as fc.Arbitrary<Step>, { minLength: 5, maxLength: 40 }), run), {
    numRuns: 40,
    endOnFailure: true,
  })
})
