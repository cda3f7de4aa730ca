import {
  AppError,
  answersOf,
  currentRequestId,
  type Deps,
  idempotent,
  orRefusal,
  type RepeatableContext,
  type Reply,
  unlessRefused,
} from '@bursar/http'
import { batched, type Db, type Tx } from '@bursar/store'
import { rememberedBanks } from '../banks/learn-bank'
import { changeDetails } from './change-details'
import { type AskedPayment, createPayments, type PaymentDraft } from './create-payments'
import { nameOfCaller } from './history'
import { movePayment, type Step } from './move-payment'
import { learnBanks, transferDraft } from './orders'
import { keysOfPayment, type PaymentRow, toPayment } from './payments'
import type { ManyAnswers, NewTransfer, WithdrawalChanges } from './requests.model'

type Find = (db: Db) => Promise<PaymentRow>
type Act = (tx: Tx, row: PaymentRow, by: string | null) => Promise<PaymentRow>

/** The commands of the payment routes: each is one commit on behalf of its caller. */
export function paymentCommands(deps: Deps) {
  const { store, identity } = deps
  const once = idempotent(deps, { keep: 'forever' })
  const banks = { ...deps, known: rememberedBanks(store) }
  const createOne = creating(deps)
  const callerOf = async (request: Request) => nameOfCaller(await identity.read(request))
  /** Acts on the payment that `find` returns. */
  async function act(request: Request, find: Find, hash: string | undefined, body: Act) {
    const by = await callerOf(request)
    const keys = keysOfPayment(await find(store.read), hash)
    return { data: toPayment(await store.commit(async (tx) => body(tx, await find(tx), by), keys)) }
  }
  return {
    once,
    callerOf,

    /** Creates a payment. */
    create: (context: RepeatableContext, draft: PaymentDraft) =>
      once(context, async (reply) => {
        const by = await callerOf(context.request)
        await learnBanks(banks, draft)
        return unlessRefused(await createOne(store, { draft, by, reply, requestId: currentRequestId() }))
      }),

    /** Creates many transfers, each independently; invalid ones are answered with their error. */
    createMany: (context: RepeatableContext, transfers: readonly NewTransfer[]) =>
      once(context, async (reply) => {
        const by = await callerOf(context.request)
        const drafts = transfers.map((transfer) => orRefusal(() => transferDraft(transfer)))
        await learnBanks(banks, ...drafts)
        return await store.commit(async (tx) => reply(tx, 200, { data: await createMany(tx, drafts, by, deps.now()) }))
      }),

    /** Changes the status of the payment that `find` returns. */
    move: (request: Request, find: Find, step: Omit<Step, 'by'>) =>
      act(request, find, step.transactionHash, (tx, row, by) => movePayment(tx, row, { ...step, by }, deps.now())),

    /** Changes details of the payment that `find` returns. */
    change: (request: Request, find: Find, changes: WithdrawalChanges) =>
      act(request, find, changes.transactionHash, (tx, row, by) => changeDetails(tx, row, changes, by, deps.now())),
  }
}

export type PaymentCommands = ReturnType<typeof paymentCommands>

/** Creates payments: those that are asked for at the same time share a commit. */
const creating = ({ now }: Deps) =>
  batched(null, async (tx, all: readonly (AskedPayment & { reply: Reply })[]) =>
    answersOf(all, await createPayments(tx, all, now()), ({ reply }, payment) =>
      reply(tx, 201, { data: toPayment(payment) }),
    ),
  )

type Answer = ManyAnswers['data'][number]

/**
 * Creates each valid transfer, in this commit, and returns a result for each. `drafts` has errors for invalid entries.
 */
async function createMany(
  tx: Tx,
  drafts: readonly (PaymentDraft | AppError)[],
  by: string | null,
  now: Date,
): Promise<Answer[]> {
  const valid = drafts.flatMap((draft) => (draft instanceof AppError ? [] : [{ draft, by }]))
  const outcomes = await createPayments(tx, valid, now)
  let next = 0
  return drafts.map((draft, index) => {
    const outcome = draft instanceof AppError ? draft : (outcomes[next++] as PaymentRow | AppError)
    return outcome instanceof AppError
      ? refusal(index, outcome)
      : { index, status: 201, transaction: toPayment(outcome) }
  })
}

const refusal = (index: number, { status, code, message }: AppError): Answer => ({
  index,
  status,
  error: { code, message },
})
