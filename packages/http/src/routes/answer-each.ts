import { asRequest } from '../request/context'

/**
 * The answer of a batch call: the work is done for each item by itself, as the request of the item's id. Null for one
 * that failed, which touches no other; asked for alone, it says why.
 */
export async function answerEach<I, O>(
  items: readonly I[],
  idOf: (item: I) => string,
  work: (item: I) => Promise<O>,
): Promise<{ items: (O | null)[] }> {
  const answers = items.map((item) => asRequest(idOf(item), () => work(item)).catch(() => null))
  return { items: await Promise.all(answers) }
}
