import { idempotent, ownKeyOf, type RepeatableContext } from '@bursar/http'
import { type Db, folded } from '@bursar/store'
import { rememberedBanks } from '../banks/learn-bank'
import type { TransactionManagerDeps } from '../deps'
import { changeDetails, type DetailChanges } from './change-details'
import { createMany } from './create-many'
import { createPayment, named, type PaymentDraft } from './create-payment'
import { nameOfCaller } from './history'
import { movePayment, type Step } from './move-payment'
import { draftOrError, learnBanks } from './orders'
import { keysOfPayment, type PaymentRow, toPayment } from './payments'

type Find = (db: Db) => Promise<PaymentRow>

/** The commands of the payment routes: each is one commit on behalf of its caller. */
export function paymentCommands(deps: TransactionManagerDeps) {
  const { store, identity } = deps
  const once = idempotent(deps, { keep: 'forever' })
  const banks = { ...deps, known: rememberedBanks(store) }
  const callerOf = async (request: Request) => nameOfCaller(await identity.read(request))
  return {
    once,
    callerOf,

    /** Creates a payment. */
    create: (context: RepeatableContext, draft: PaymentDraft) =>
      once(context, async (reply) => {
        const by = await callerOf(context.request)
        const participants = await learnBanks(banks, draft)
        const now = deps.now()
        const payment = named(draft, now)
        return await store.commit(
          async (tx) => reply(tx, 201, { data: toPayment(await createPayment(tx, payment, by, now)) }),
          [ownKeyOf(context.request), payment.id, folded(payment.reference), ...participants],
        )
      }),

    /** Creates many payments, each independently; invalid drafts are answered with their error. */
    createMany: (context: RepeatableContext, makers: readonly (() => PaymentDraft)[]) =>
      once(context, async (reply) => {
        const by = await callerOf(context.request)
        const drafts = makers.map(draftOrError)
        await learnBanks(banks, ...drafts)
        return await store.commit(async (tx) => reply(tx, 200, { data: await createMany(tx, drafts, by, deps.now()) }))
      }),

    /** Changes the status of the payment that `find` returns. */
    move: async (request: Request, find: Find, step: Omit<Step, 'by'>) => {
      const by = await callerOf(request)
      const keys = keysOfPayment(await find(store.read), step.transactionHash)
      const moved = store.commit(async (tx) => movePayment(tx, await find(tx), { ...step, by }, deps.now()), keys)
      return { data: toPayment(await moved) }
    },

    /** Changes details of the payment that `find` returns. */
    change: async (request: Request, find: Find, changes: DetailChanges) => {
      const by = await callerOf(request)
      const keys = keysOfPayment(await find(store.read), changes.transactionHash)
      const changed = store.commit(async (tx) => changeDetails(tx, await find(tx), changes, by, deps.now()), keys)
      return { data: toPayment(await changed) }
    },
  }
}
