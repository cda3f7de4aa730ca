import { asRequest } from '../request/context'

/**
 * The answer of a batch call: the work is done for each item separately, under the item's request id. Null for one
 * that failed, without affecting the others; called alone, it gives the reason.
 */
export async function answerEach<I, O>(
  items: readonly I[],
  idOf: (item: I) => string,
  work: (item: I) => Promise<O>,
): Promise<{ items: (O | null)[] }> {
  const answers = items.map((item) => asRequest(idOf(item), () => work(item)).catch(() => null))
  return { items: await Promise.all(answers) }
}
