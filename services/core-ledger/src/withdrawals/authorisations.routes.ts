import { batchAnswer, batchOf } from '@bursar/contracts/batch'
import {
  Authorisation,
  authoriseExecution,
  authoriseWithdrawals,
  ExecutionToAuthorise,
} from '@bursar/contracts/core-ledger'
import { uuid } from '@bursar/contracts/schema'
import { ifCallFails, internalRoutes, response } from '@bursar/http'
import type { LedgerDeps } from '../deps'
import { fail } from '../errors'
import { closed } from '../movements/money-failures'
import * as executions from '../portfolios/authorise-execution'
import { type Judged, judgeWithdrawals, toAuthorisation } from './authorise-withdrawals'
import { createOwners } from './owners'
import { askOwners, rememberedMarks, sharedRefresh } from './refresh-account'
import { freezeAgain, type Refusal } from './rescreening'

/** For the wallet service only: what it may sign. Nothing is signed without this authorisation. */
export function authorisationRoutes(deps: LedgerDeps) {
  const { store, identity, books, now, rescreening } = deps
  const owned = { store, owners: createOwners(deps.client), marks: rememberedMarks(store) }
  const refresh = sharedRefresh(owned, askOwners)

  async function refuse(judged: Judged, refusal: Refusal): Promise<void> {
    const { id } = judged
    const isFrozen = await store.commit((tx) => freezeAgain(tx, id, refusal, now()))
    if (isFrozen) deps.log.warn({ transactionId: id, reason: refusal.reason }, 'An approved withdrawal is frozen again')
    Object.assign(judged, { terms: null, reason: refusal.reason })
  }

  /**
   * Judges again: while the sanctions service was asked, a withdrawal may have been frozen or failed, or become
   * blocked.
   */
  async function judgeAgain(judged: Map<string, Judged>, payable: readonly Pick<Judged, 'id'>[]): Promise<void> {
    const ids = payable.map(({ id }) => id)
    for (const [id, one] of await judgeWithdrawals(store.read, ids)) if (one.terms === null) judged.set(id, one)
  }

  async function authorise(ids: readonly string[]): Promise<(Authorisation | null)[]> {
    const judged = await judgeWithdrawals(store.read, ids)
    if (books.areClosed()) {
      // The wrong ledger must not answer that it does not know a withdrawal: the wallet would end it.
      if (ids.some((id) => !judged.has(id))) books.requireOpen()
      for (const one of judged.values()) Object.assign(one, { terms: null, reason: closed, ended: null })
    }
    const payable = [...judged.values()].flatMap(({ id, terms, createdAt }) =>
      terms ? [{ id, createdAt, ...terms }] : [],
    )
    const { refused, wasAsked } = await rescreening.refusals(payable, now())
    if (wasAsked) await judgeAgain(judged, payable)
    for (const [id, refusal] of refused) {
      const one = judged.get(id)
      if (one) await refuse(one, refusal)
    }
    return ids.map((id) => {
      const one = judged.get(id)
      return one ? toAuthorisation(one) : null
    })
  }

  /**
   * The wallet takes a refusal as final: while the owners are away, or the books closed, the answer is 503, and it asks
   * again.
   */
  const whyUnknown = (accountId: string): Promise<string | null> =>
    ifCallFails(refresh(accountId), (cause) => {
      throw fail('ACCOUNTS_UNAVAILABLE', { cause })
    })
  const judgeExecution = (asked: ExecutionToAuthorise): Promise<string | null> =>
    store.commit((tx) => {
      books.requireOpen()
      return executions.authoriseExecution(tx, asked, now())
    })

  return internalRoutes(identity, '', ['wallet'])
    .post(
      authoriseWithdrawals.path,
      async ({ body }) => {
        return { items: await authorise(body.items.map((id) => id.toLowerCase())) }
      },
      { body: batchOf(uuid()), response: { 200: response(batchAnswer(Authorisation)) } },
    )
    .post(
      authoriseExecution.path,
      async ({ body }) => {
        const reason = (await whyUnknown(body.accountId.toLowerCase())) ?? (await judgeExecution(body))
        return { id: body.id, isAuthorised: reason === null, reason }
      },
      { body: ExecutionToAuthorise, response: { 200: response(authoriseExecution.answer) } },
    )
}
