import type { Authorisation, AuthorisedTerms, ExecutionToAuthorise, WithdrawalEnd } from '@bursar/contracts/core-ledger'
import type { WalletWithdrawal } from '@bursar/contracts/wallet'
import type { Peers } from './peers'
import { refusal } from './refusal'

/** What the core ledger has booked, and how it answers before a signature. */
export interface LedgerPeer {
  /** Withdrawals that are APPROVED and hold their amount. */
  booked: Map<string, AuthorisedTerms>
  /** Why these may not be paid now. */
  obstacles: Map<string, string>
  /** How these have ended there. */
  ended: Map<string, WithdrawalEnd>
  /** Of which other withdrawals it says the terms of these. */
  named: Map<string, string>
  /** The executions that it was asked about. */
  executions: ExecutionToAuthorise[]
  /** Why it allows no execution; null: it allows all. */
  executionProblem: string | null
}

export const ledgerPeer = (): LedgerPeer => ({
  booked: new Map(),
  obstacles: new Map(),
  ended: new Map(),
  named: new Map(),
  executions: [],
  executionProblem: null,
})

/** It has booked what it orders before it orders it. */
export function book({ booked }: LedgerPeer, order: WalletWithdrawal): void {
  const { id, ...terms } = order
  const key = String(id).toLowerCase()
  if (!booked.has(key)) booked.set(key, terms)
}

export async function ledgerAnswer(peers: Peers, request: Request, path: string): Promise<Response> {
  const { booked, obstacles, ended, named, executions, executionProblem } = peers.ledger
  if (path.endsWith('/internal/authorisations/execution')) {
    const asked = (await request.json()) as ExecutionToAuthorise
    executions.push(asked)
    return Response.json({ id: asked.id, isAuthorised: executionProblem === null, reason: executionProblem })
  }
  if (!path.endsWith('/internal/authorisations')) return refusal(404)
  const { items } = (await request.json()) as { items: string[] }
  const answer = (id: string): Authorisation | null => {
    const terms = booked.get(id)
    if (!terms) return null
    const end = ended.get(id)
    if (end) return { id, terms: null, reason: `The withdrawal is ${end.status}`, ended: end }
    const reason = obstacles.get(id) ?? null
    return { id: named.get(id) ?? id, terms: reason === null ? terms : null, reason }
  }
  return Response.json({ items: items.map(answer) })
}
