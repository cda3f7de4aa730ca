import { getSignatureFates, type SignatureFate, type SignedBefore } from '@bursar/contracts/blockchain'
import { type Client, gathered } from '@bursar/http'
import type { Db, Store } from '@bursar/store'
import type { OrderRow } from './orders'
import { rivalsOf, type SignatureRow, signaturesOf } from './signatures'

/** The fate of a signed transaction; null while its network is unreachable. Rejects with CallError. */
export type AskFate = (signature: SignedBefore) => Promise<SignatureFate | null>

const calls = 4

/**
 * Concurrent requests share a call. A node without old states does not show which transaction took a
 * nonce: if another signature of the same nonce is final, this one is dead.
 */
export function createFates(client: Client, db: Db): AskFate {
  const many = async (items: SignedBefore[]) => (await client.call(getSignatureFates, { body: { items } })).items
  const ask = gathered<SignedBefore, SignatureFate | null>({
    one: async (item) => (await many([item]))[0] ?? null,
    many,
    calls,
  })
  return async (signature) => {
    const own = await ask(signature)
    if (own?.fate !== 'open') return own
    const rivals = await rivalsOf(db, signature)
    const fates = await Promise.all(rivals.map(ask))
    const taken = fates.find((each) => each?.fate === 'final' || each?.fate === 'reverted')
    return taken ? { ...own, fate: 'dead', reason: `${taken.txHash} has taken its nonce` } : own
  }
}

/**
 * The verdict on an order from its signatures. `paid` and `reverted` end it; `unpaid`: none of them can be mined any
 * more, it may be signed again; `open`: one of them may still be mined, or it is unknown.
 */
export type Verdict =
  | { is: 'paid'; txHash: string }
  | { is: 'reverted'; txHash: string; reason: string }
  | { is: 'open'; why: string }
  | { is: 'unpaid' }

/** The end of an order, as its record has it. */
export type End = Pick<OrderRow, 'status' | 'txHash' | 'reason'>

/** The end of an order by its signatures; null while they are no reason for one. */
export function endOf(verdict: Verdict): End | null {
  if (verdict.is === 'paid') return { status: 'confirmed', txHash: verdict.txHash, reason: null }
  return verdict.is === 'reverted' ? { status: 'failed', txHash: verdict.txHash, reason: verdict.reason } : null
}

/** The verdict on an order from all signatures that were kept of it, and their number. */
export async function judgeOrder(
  { store, fates }: { store: Pick<Store, 'read'>; fates: AskFate },
  id: string,
): Promise<{ verdict: Verdict; signatures: number }> {
  const signed = await signaturesOf(store.read, id)
  return { verdict: await judge(fates, signed), signatures: signed.length }
}

/** Checks signatures on the chain; without any the order is unpaid. Rejects with CallError while the blockchain service is unreachable. */
export async function judge(askFate: AskFate, signed: readonly SignatureRow[]): Promise<Verdict> {
  const fates = await Promise.all(
    signed.map(({ network, txHash, sender, nonce, blockhash, signedAt }) => {
      // Without a nonce only the blocks since then show what became of it.
      const since = blockhash === null ? {} : { signedAt: signedAt.toISOString() }
      return askFate({ network, txHash, sender, nonce, blockhash, ...since })
    }),
  )
  const hashOf = (i: number) => signed[i]?.txHash ?? ''
  const final = fates.findIndex((each) => each?.fate === 'final')
  if (final >= 0) return { is: 'paid', txHash: hashOf(final) }
  const unknown = fates.indexOf(null)
  if (unknown >= 0) return { is: 'open', why: `its network cannot be asked about ${hashOf(unknown)}` }
  const open = fates.findIndex((each) => each?.fate === 'open')
  if (open >= 0) return { is: 'open', why: `${hashOf(open)} may still be mined` }
  const reverted = fates.findIndex((each) => each?.fate === 'reverted')
  if (reverted < 0) return { is: 'unpaid' }
  return { is: 'reverted', txHash: hashOf(reverted), reason: fates[reverted]?.reason ?? 'It was reverted on the chain' }
}
