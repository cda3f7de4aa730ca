/**
 * Statements that need nothing of each other: a server gets them in the order of the calls, one right behind the other, so that they
 * share the way there and back. Waits for all, also where one fails, and rejects with what failed first: those that are sent
 * behind it fail as well, and what a body leaves behind would run outside of it.
 *
 *     const [, numbers] = await together(insertParts(tx, parts), insertEntries(tx, entries))
 */
export async function together<T extends readonly unknown[]>(...work: { [K in keyof T]: Promise<T[K]> }): Promise<T> {
  try {
    return (await Promise.all(work)) as unknown as T
  } catch (error) {
    await Promise.allSettled(work)
    throw error
  }
}
