import type { TSchema } from '@sinclair/typebox'
import { type Call, writeCall } from './call'
import { nullable, t } from './schema'
import type { ServiceName } from './services'

/** The most items of one call: its writes are one commit, and its body stays far below the limit. */
export const mostInBatch = 100

/** The body of a batch call. */
export const batchOf = <I extends TSchema>(item: I) =>
  t.Object({ items: t.Array(item, { minItems: 1, maxItems: mostInBatch }) })
/** Its answer: one for each item, in their order. Null: no answer for this item; a single call gives the reason. */
export const batchAnswer = <A extends TSchema>(answer: A) =>
  t.Object({ items: t.Array(nullable(answer), { maxItems: mostInBatch }) })

type BatchCall<I extends TSchema, A extends TSchema> = Call<
  ReturnType<typeof batchOf<I>>,
  ReturnType<typeof batchAnswer<A>>
>

/** Declares the batch form of a call. Each item has its own id and its own outcome. */
export const batchCall = <I extends TSchema, A extends TSchema>(
  service: ServiceName,
  path: string,
  item: I,
  answer: A,
): BatchCall<I, A> => writeCall(service, 'POST', path, batchOf(item), batchAnswer(answer))
